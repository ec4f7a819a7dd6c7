-- Pages of d5_leitura.agenda_publica: in the order of the agenda, whole or by level, category or visible status; inside a
-- bounding box from south to north.
CREATE INDEX backlog_items_publica_idx
    ON d5.backlog_items (unidade_civica_id, posicao, demanda_id) WHERE status <> 'agregado';
CREATE INDEX backlog_items_publica_nivel_idx
    ON d5.backlog_items (nivel_precedencia, unidade_civica_id, posicao, demanda_id) WHERE status <> 'agregado';
CREATE INDEX backlog_items_publica_categoria_idx
    ON d5.backlog_items (categoria_id, unidade_civica_id, posicao, demanda_id) WHERE status <> 'agregado';
-- The expression is the one of dbt_project/macros/linhas_da_agenda.sql.
CREATE INDEX backlog_items_publica_status_idx
    ON d5.backlog_items (
        (CASE WHEN status = 'atribuido' THEN 'disponivel' ELSE status END), unidade_civica_id, posicao, demanda_id
    )
    WHERE status <> 'agregado';
-- The planner takes no statistics from the expression of a partial index.
CREATE STATISTICS d5.backlog_items_status_publico
    ON (CASE WHEN status = 'atribuido' THEN 'disponivel' ELSE status END) FROM d5.backlog_items;
CREATE INDEX coordenadas_demanda_lat_lng_idx ON d5.coordenadas_demanda (lat, lng, demanda_id);
