-- The statements of the per-event reference: one per step of sections 3.7 and 3.10 to 3.12, each for one row.

-- name: ler_proximo(desde, tipos)^
-- The next consumed event.
select sequence_number, event_id, tipo, correlacao_id, criado_em, payload::text
from core.event_log
where sequence_number > :desde and tipo = any(:tipos)
order by sequence_number
limit 1;

-- name: buscar_score_por_event_id(event_id)$
-- Idempotence of demanda.ranqueada (3.10, step 1).
select demanda_id from d5.backlog_scores where event_id = :event_id;

-- name: buscar_agregacao(demanda_id)$
-- Guard of late events (3.10, step 4).
select agregado_id from d5.demandas_agregadas where demanda_id = :demanda_id;

-- name: buscar_score(demanda_id)^
-- The demand's score.
select unidade_civica_id, categoria_id, nivel_precedencia, sequence_number
from d5.backlog_scores
where demanda_id = :demanda_id;

-- name: inserir_score(demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional, peso_situacional, score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id, sequence_number, criado_em)!
-- First event of a demand (3.10, step 5).
insert into d5.backlog_scores (
    id, demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional, peso_situacional,
    score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id, sequence_number, criado_em
)
values (
    gen_random_uuid(), :demanda_id, :unidade_civica_id, :categoria_id, :nivel_precedencia, :score_final, :peso_nacional,
    :peso_situacional, :score_horizontal, :posicao_ranking, :versao_parametros, :event_id, :correlacao_id,
    :sequence_number, :criado_em
);

-- name: atualizar_score(demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional, peso_situacional, score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id, sequence_number)!
-- Every further event of a demand (3.10, step 5).
update d5.backlog_scores
set
    unidade_civica_id = :unidade_civica_id,
    categoria_id = :categoria_id,
    nivel_precedencia = :nivel_precedencia,
    score_final = :score_final,
    peso_nacional = :peso_nacional,
    peso_situacional = :peso_situacional,
    score_horizontal = :score_horizontal,
    posicao_ranking = :posicao_ranking,
    versao_parametros = :versao_parametros,
    event_id = :event_id,
    correlacao_id = :correlacao_id,
    sequence_number = :sequence_number
where demanda_id = :demanda_id;

-- name: buscar_item(demanda_id)^
-- The demand's row in the backlog.
select unidade_civica_id, status, entrou_em, atualizado_em, data_conclusao, dias_ate_conclusao
from d5.backlog_items
where demanda_id = :demanda_id;

-- name: contar_itens(unidade_civica_id)$
-- Rows that hold a slot (3.10, D18).
select count(*)
from d5.backlog_items
where unidade_civica_id = :unidade_civica_id and status in ('disponivel', 'atribuido', 'em_progresso');

-- name: atualizar_item(demanda_id, unidade_civica_id, score, categoria_id, nivel_precedencia, event_id)!
-- A re-ranked demand keeps posicao, status and grupo_id (3.10, step 6).
update d5.backlog_items
set
    unidade_civica_id = :unidade_civica_id,
    score = :score,
    categoria_id = :categoria_id,
    nivel_precedencia = :nivel_precedencia,
    event_id = :event_id
where demanda_id = :demanda_id;

-- name: inserir_item(demanda_id, unidade_civica_id, posicao, score, status, categoria_id, nivel_precedencia, event_id, entrou_em, atualizado_em, data_conclusao, dias_ate_conclusao)!
-- A demand enters the backlog.
insert into d5.backlog_items (
    demanda_id, unidade_civica_id, posicao, score, status, categoria_id, nivel_precedencia, event_id, entrou_em,
    atualizado_em, data_conclusao, dias_ate_conclusao
)
values (
    :demanda_id, :unidade_civica_id, :posicao, :score, :status, :categoria_id, :nivel_precedencia, :event_id, :entrou_em,
    :atualizado_em, :data_conclusao, :dias_ate_conclusao
);

-- name: atualizar_status(demanda_id, status, event_id, atualizado_em, data_conclusao, dias_ate_conclusao)!
-- atualizarStatus(), concluirItem() (3.12).
update d5.backlog_items
set
    status = :status,
    event_id = :event_id,
    atualizado_em = :atualizado_em,
    data_conclusao = :data_conclusao,
    dias_ate_conclusao = :dias_ate_conclusao
where demanda_id = :demanda_id;

-- name: buscar_situacao(demanda_id)^
-- The demand's last transition (D6, D10).
select status, sequence_number, entrou_em, data_conclusao, dias_ate_conclusao
from d5.situacao_demandas
where demanda_id = :demanda_id;

-- name: gravar_situacao(demanda_id, status, sequence_number, entrou_em, data_conclusao, dias_ate_conclusao)!
-- Remembers a transition (D10).
insert into d5.situacao_demandas (
    demanda_id, status, sequence_number, entrou_em, data_conclusao, dias_ate_conclusao
)
values (:demanda_id, :status, :sequence_number, :entrou_em, :data_conclusao, :dias_ate_conclusao)
on conflict (demanda_id) do update
set
    status = excluded.status,
    sequence_number = excluded.sequence_number,
    entrou_em = excluded.entrou_em,
    data_conclusao = excluded.data_conclusao,
    dias_ate_conclusao = excluded.dias_ate_conclusao;

-- name: registrar_agregacao(demanda_id, agregado_id, representante_demanda_id, evento_id, agregado_em)!
-- A member keeps its first registration (3.7, D19).
insert into d5.demandas_agregadas (demanda_id, agregado_id, representante_demanda_id, evento_id, agregado_em)
values (:demanda_id, :agregado_id, :representante_demanda_id, :evento_id, :agregado_em)
on conflict (demanda_id) do nothing;

-- name: gravar_coordenadas(demanda_id, lat, lng, criado_em)!
-- The last coordinates win (4.6).
insert into d5.coordenadas_demanda (demanda_id, lat, lng, criado_em)
values (:demanda_id, :lat, :lng, :criado_em)
on conflict (demanda_id) do update set lat = excluded.lat, lng = excluded.lng;

-- name: buscar_primeiro_disponivel(unidade_civica_id)^
-- The demand to announce (D9).
select demanda_id, posicao, score, categoria_id, nivel_precedencia, grupo_id
from d5.backlog_items
where unidade_civica_id = :unidade_civica_id and status = 'disponivel'
order by posicao, score desc, demanda_id
limit 1;

-- name: buscar_anuncio(unidade_civica_id)$
-- The demand last announced (D8).
select demanda_id from d5.anuncios_por_uc where unidade_civica_id = :unidade_civica_id;

-- name: gravar_anuncio(unidade_civica_id, demanda_id, event_id, anunciado_em)!
-- Remembers an announcement (D8).
insert into d5.anuncios_por_uc (unidade_civica_id, demanda_id, event_id, anunciado_em)
values (:unidade_civica_id, :demanda_id, :event_id, :anunciado_em)
on conflict (unidade_civica_id) do update
set demanda_id = excluded.demanda_id, event_id = excluded.event_id, anunciado_em = excluded.anunciado_em;

-- name: publicar(event_id, tipo, correlacao_id, payload)!
-- Appends to the log (3.8, 3.9).
insert into core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload)
values (:event_id, :tipo, '1.0.0', 'D-5', :correlacao_id, :payload::jsonb);

-- name: avancar_cursor(tipo, sequencia)!
-- The last step of every handler.
update d5.consumer_offset set last_sequence = :sequencia, updated_at = now() where tipo_evento = :tipo;

-- name: buscar_scores_ativos(unidade_civica_id)
-- Scores of the unit in descending order, aggregated demands left out (4.1, step 1).
select s.demanda_id, s.categoria_id, s.nivel_precedencia, s.score_final, coalesce(q.status = 'concluido', false)
from d5.backlog_scores as s
left join d5.situacao_demandas as q on q.demanda_id = s.demanda_id
where s.unidade_civica_id = :unidade_civica_id
    and not exists (select from d5.demandas_agregadas as a where a.demanda_id = s.demanda_id)
order by s.score_final desc, s.demanda_id;

-- name: buscar_coordenadas(unidade_civica_id)
-- Coordinates of the unit's demands (4.1, step 2).
select c.demanda_id, c.lat, c.lng
from d5.coordenadas_demanda as c
join d5.backlog_scores as s on s.demanda_id = c.demanda_id
where s.unidade_civica_id = :unidade_civica_id;

-- name: buscar_itens(demandas)
-- Which of the selected demands have a row, whose status and times stay (4.1, step 7).
select demanda_id from d5.backlog_items where demanda_id = any(:demandas::uuid[]);

-- name: buscar_situacoes(demandas)
-- What is remembered of those that have none (D10).
select demanda_id, status, sequence_number, entrou_em, data_conclusao, dias_ate_conclusao
from d5.situacao_demandas
where demanda_id = any(:demandas::uuid[]);

-- name: upsert_item(demanda_id, unidade_civica_id, posicao, score, status, grupo_id, categoria_id, nivel_precedencia, event_id, entrou_em, data_conclusao, dias_ate_conclusao, atualizado_em)!
-- A row of the rebuilt agenda; status and times of an existing one stay (4.1, step 8).
insert into d5.backlog_items (
    demanda_id, unidade_civica_id, posicao, score, status, grupo_id, categoria_id, nivel_precedencia, event_id,
    entrou_em, atualizado_em, data_conclusao, dias_ate_conclusao
)
values (
    :demanda_id, :unidade_civica_id, :posicao, :score, :status, :grupo_id, :categoria_id, :nivel_precedencia, :event_id,
    :entrou_em, :atualizado_em, :data_conclusao, :dias_ate_conclusao
)
on conflict (demanda_id) do update
set
    unidade_civica_id = excluded.unidade_civica_id,
    posicao = excluded.posicao,
    score = excluded.score,
    grupo_id = excluded.grupo_id,
    categoria_id = excluded.categoria_id,
    nivel_precedencia = excluded.nivel_precedencia,
    event_id = excluded.event_id;

-- name: remover_fora(unidade_civica_id, demandas)!
-- removerItensForaDoBacklog(): aggregated rows stay (3.11 f).
delete from d5.backlog_items
where unidade_civica_id = :unidade_civica_id and status <> 'agregado' and demanda_id <> all(:demandas::uuid[]);
