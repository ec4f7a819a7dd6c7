-- What the benchmarks ask of a database beside the project's own statements.

-- name: ajustes(nomes)
-- Server settings by name.
select name, current_setting(name) from pg_settings where name = any(:nomes) order by name;

-- name: anuncio_depois_de(sequencia, unidade)^
-- The unit's first announcement above a number.
select sequence_number, payload ->> 'demanda_id'
from core.event_log
where sequence_number > :sequencia and tipo = 'agenda.item_disponível' and payload ->> 'unidade_civica_id' = :unidade
order by sequence_number
limit 1;

-- name: execucoes_em_curso()$
-- Whether Dagster has a run that has not ended.
select exists (select from dagster.runs where status not in ('SUCCESS', 'FAILURE', 'CANCELED'));

-- name: tamanho_do_historico()$
-- Bytes of Dagster's tables with their indexes.
select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint
from pg_class
where relnamespace = to_regnamespace('dagster') and relkind = 'r';

-- name: clonar()!
-- A copy of files, so that nothing of it waits to be written.
create database {} template {} strategy file_copy;

-- name: remover()!
-- Whoever is connected.
drop database {} with (force);

-- name: assentar()!
-- Writes out what is dirty.
checkpoint;

-- name: analisar()!
-- Statistics and visibility as they are some time after a bulk load.
vacuum analyze;

-- name: copiar_log()!
-- Events without numbers: the log gives them.
copy core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload, criado_em) from stdin;

-- name: copiar_scores()!
-- A projection filled long ago.
copy d5.backlog_scores (
    id, demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional, peso_situacional,
    score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id, sequence_number, criado_em
) from stdin;

-- name: copiar_coordenadas()!
-- Its coordinates.
copy d5.coordenadas_demanda (demanda_id, lat, lng, criado_em) from stdin;

-- name: copiar_unidades()!
-- Its units.
copy d5.unidades_civicas (unidade_civica_id) from stdin;

-- name: backlog_scores()$
-- Fingerprint of the projection, without the row's own id.
select md5(string_agg(t::text, chr(10) order by t.demanda_id))
from (
    select
        demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional, peso_situacional,
        score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id, sequence_number, criado_em
    from d5.backlog_scores
) as t;

-- name: backlog_items()$
-- Fingerprint of the backlog.
select md5(string_agg(t::text, chr(10) order by t.demanda_id))
from (
    select
        demanda_id, unidade_civica_id, posicao, score, status, grupo_id, categoria_id, nivel_precedencia, event_id,
        entrou_em, atualizado_em, data_conclusao, dias_ate_conclusao
    from d5.backlog_items
) as t;

-- name: demandas_agregadas()$
-- Fingerprint of the aggregated members.
select md5(string_agg(t::text, chr(10) order by t.demanda_id)) from d5.demandas_agregadas as t;

-- name: coordenadas_demanda()$
-- Fingerprint of the coordinates.
select md5(string_agg(t::text, chr(10) order by t.demanda_id)) from d5.coordenadas_demanda as t;

-- name: situacao_demandas()$
-- Fingerprint of the last transition of each demand.
select md5(string_agg(t::text, chr(10) order by t.demanda_id)) from d5.situacao_demandas as t;

-- name: anuncios_por_uc()$
-- Fingerprint of the last announcement of each unit.
select md5(string_agg(t::text, chr(10) order by t.unidade_civica_id)) from d5.anuncios_por_uc as t;

-- name: consumer_offset()$
-- Fingerprint of the cursors.
select md5(string_agg(t::text, chr(10) order by t.tipo_evento))
from (select tipo_evento, last_sequence from d5.consumer_offset) as t;

-- name: publicacoes()$
-- Fingerprint of what was published, in order for each unit, without the moment and the random ids.
select md5(string_agg(t.linha, chr(10) order by t.unidade, t.sequence_number))
from (
    select
        payload ->> 'unidade_civica_id' as unidade,
        sequence_number,
        concat_ws(' ', tipo, versao_schema, correlacao_id, payload - 'timestamp') as linha
    from core.event_log
    where origem = 'D-5'
) as t;

-- name: gravar_scores(demandas, unidades, categorias, niveis, scores, pesos_nacionais, pesos_situacionais, horizontais, posicoes, versoes, event_ids, correlacoes, sequencias, criados)!
-- The bare write that bulk application is held against: one INSERT … ON CONFLICT, nothing else.
insert into d5.backlog_scores (
    id, demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional, peso_situacional,
    score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id, sequence_number, criado_em
)
select gen_random_uuid(), n.*
from unnest(
    :demandas::uuid[], :unidades::uuid[], :categorias::text[], :niveis::int[], :scores::numeric[],
    :pesos_nacionais::numeric[], :pesos_situacionais::numeric[], :horizontais::int[], :posicoes::int[],
    :versoes::text[], :event_ids::uuid[], :correlacoes::uuid[], :sequencias::bigint[], :criados::timestamptz[]
) as n
on conflict (demanda_id) do update
set
    unidade_civica_id = excluded.unidade_civica_id,
    categoria_id = excluded.categoria_id,
    nivel_precedencia = excluded.nivel_precedencia,
    score_final = excluded.score_final,
    peso_nacional = excluded.peso_nacional,
    peso_situacional = excluded.peso_situacional,
    score_horizontal = excluded.score_horizontal,
    posicao_ranking = excluded.posicao_ranking,
    versao_parametros = excluded.versao_parametros,
    event_id = excluded.event_id,
    correlacao_id = excluded.correlacao_id,
    sequence_number = excluded.sequence_number;
