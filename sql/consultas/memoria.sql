-- What is remembered beside the backlog: statuses, aggregations, coordinates, announcements, publications, exceptions.

-- name: gravar_situacoes(demanda_id, status, sequence_number, entrou_em, data_conclusao, dias_ate_conclusao)!
-- Last recorded status of each demand (D10).
insert into d5.situacao_demandas (
    demanda_id, status, sequence_number, entrou_em, data_conclusao, dias_ate_conclusao
)
select *
from unnest(
    :demanda_id::uuid[], :status::text[], :sequence_number::bigint[], :entrou_em::timestamptz[],
    :data_conclusao::timestamptz[], :dias_ate_conclusao::int[]
)
on conflict (demanda_id) do update
set
    status = excluded.status,
    sequence_number = excluded.sequence_number,
    entrou_em = excluded.entrou_em,
    data_conclusao = excluded.data_conclusao,
    dias_ate_conclusao = excluded.dias_ate_conclusao;

-- name: gravar_transicoes(demandas, unidades, de, para, tipos, event_ids, correlacoes, sequencias, ocorridas)!
-- The history only grows.
insert into d5.transicoes_status (
    demanda_id, unidade_civica_id, de, para, tipo_evento, event_id, correlacao_id, sequence_number, ocorreu_em
)
select demanda_id, unidade_civica_id, de, para, tipo_evento, event_id, correlacao_id, sequence_number, ocorreu_em
from unnest(
    :demandas::uuid[], :unidades::uuid[], :de::text[], :para::text[], :tipos::text[], :event_ids::uuid[],
    :correlacoes::uuid[], :sequencias::bigint[], :ocorridas::timestamptz[]
) with ordinality as n (
    demanda_id, unidade_civica_id, de, para, tipo_evento, event_id,
    correlacao_id, sequence_number, ocorreu_em, ordem
)
order by ordem;

-- name: gravar_agregadas(demandas, agregados, representantes, event_ids, quando)!
-- A member keeps its first registration (D19).
insert into d5.demandas_agregadas (demanda_id, agregado_id, representante_demanda_id, evento_id, agregado_em)
select * from unnest(:demandas::uuid[], :agregados::uuid[], :representantes::uuid[], :event_ids::uuid[], :quando::timestamptz[])
on conflict (demanda_id) do nothing;

-- name: gravar_coordenadas(demandas, latitudes, longitudes, quando)!
-- The last applied coordinates win (D6).
insert into d5.coordenadas_demanda (demanda_id, lat, lng, criado_em)
select * from unnest(:demandas::uuid[], :latitudes::float8[], :longitudes::float8[], :quando::timestamptz[])
on conflict (demanda_id) do update set lat = excluded.lat, lng = excluded.lng;

-- name: gravar_anuncios(unidades, demandas, event_ids, quando)!
-- The demand last announced by each unit (D8).
insert into d5.anuncios_por_uc (unidade_civica_id, demanda_id, event_id, anunciado_em)
select * from unnest(:unidades::uuid[], :demandas::uuid[], :event_ids::uuid[], :quando::timestamptz[])
on conflict (unidade_civica_id) do update
set demanda_id = excluded.demanda_id, event_id = excluded.event_id, anunciado_em = excluded.anunciado_em;

-- name: gravar_pendentes(sequencias, ordinais, gatilhos, gatilho_tipos, event_ids, tipos, correlacoes, payloads)!
-- Publications wait here from the commit of their effects until they are in the log (D7).
insert into d5.publicacoes_pendentes (
    gatilho_sequence, ordinal, gatilho_event_id, gatilho_tipo, event_id, tipo, correlacao_id, payload
)
select gatilho_sequence, ordinal, gatilho_event_id, gatilho_tipo, event_id, tipo, correlacao_id, payload
from unnest(
    :sequencias::bigint[], :ordinais::int[], :gatilhos::uuid[], :gatilho_tipos::text[], :event_ids::uuid[],
    :tipos::text[], :correlacoes::uuid[], :payloads::jsonb[]
) with ordinality as n (
    gatilho_sequence, ordinal, gatilho_event_id, gatilho_tipo, event_id, tipo, correlacao_id, payload, ordem
)
order by ordem;

-- name: gravar_descartes(sequencias, event_ids, tipos, versoes, motivos)!
-- Dropped events, with the reason (D12). In a log that was cut back a number may stand for another event by now.
insert into d5.eventos_descartados (sequence_number, event_id, tipo, versao_schema, motivo)
select * from unnest(:sequencias::bigint[], :event_ids::uuid[], :tipos::text[], :versoes::text[], :motivos::text[])
on conflict (sequence_number) do update
set
    event_id = excluded.event_id,
    tipo = excluded.tipo,
    versao_schema = excluded.versao_schema,
    motivo = excluded.motivo,
    descartado_em = excluded.descartado_em,
    situacao = excluded.situacao
where eventos_descartados.event_id <> excluded.event_id;
