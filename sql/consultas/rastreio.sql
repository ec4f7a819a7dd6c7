-- One correlation through the log, the backlog and the publications: read only. The log has no index on it, and gets none.

-- name: trecho(correlacao_id, desde, ate, quantos)^
-- Last number among the next :quantos rows of the log, and the numbers of those that carry the correlation.
with trecho as materialized (
    select sequence_number, correlacao_id
    from d5.event_log
    where sequence_number > :desde and sequence_number <= :ate
    order by sequence_number
    limit :quantos
)
select
    max(sequence_number),
    coalesce(array_agg(sequence_number order by sequence_number) filter (where correlacao_id = :correlacao_id::uuid), '{}')
from trecho;

-- name: guardados(correlacao_id)
-- Events of the correlation that D-5's own tables still name.
select event_id from d5.transicoes_status where correlacao_id = :correlacao_id::uuid
union
select event_id from d5.backlog_scores where correlacao_id = :correlacao_id::uuid
union
select gatilho_event_id from d5.publicacoes_pendentes where correlacao_id = :correlacao_id::uuid;

-- name: localizar(event_ids)
-- Their numbers, through the log's unique index.
select event_id, sequence_number from d5.event_log where event_id = any(:event_ids::uuid[]);

-- name: eventos(sequencias)
-- Events by number, with the demands and the unit that their payload names.
select
    l.sequence_number, l.event_id, l.tipo, l.versao_schema, l.origem, l.criado_em,
    array_remove(
        array[lower(l.payload ->> 'demanda_id'), lower(l.payload ->> 'representante_demanda_id')]
        || (select array_agg(lower(m #>> '{}')) from jsonb_path_query(l.payload, '$.membros[*].demanda_id') as m),
        null
    ) as demandas,
    l.payload ->> 'unidade_civica_id'
from d5.event_log as l
where l.sequence_number = any(:sequencias::bigint[])
order by l.sequence_number;

-- name: demandas(demandas)
-- What D-5 knows of each of the demands.
select
    d.demanda_id, coalesce(i.unidade_civica_id, s.unidade_civica_id), i.posicao, coalesce(i.status, q.status),
    i.entrou_em, s.score_final, s.sequence_number, s.event_id, a.representante_demanda_id
from unnest(:demandas::uuid[]) with ordinality as d (demanda_id, ordem)
left join d5.backlog_items as i on i.demanda_id = d.demanda_id
left join d5.backlog_scores as s on s.demanda_id = d.demanda_id
left join d5.situacao_demandas as q on q.demanda_id = d.demanda_id
left join d5.demandas_agregadas as a on a.demanda_id = d.demanda_id
order by d.ordem;

-- name: transicoes(demandas)
-- Every transition of the demands, whatever its correlation.
select demanda_id, de, para, tipo_evento, event_id, correlacao_id, sequence_number, ocorreu_em
from d5.transicoes_status
where demanda_id = any(:demandas::uuid[])
order by demanda_id, id;

-- name: pendentes(correlacao_id)
-- Publications of the correlation that are not in the log yet.
select id, tipo, event_id, gatilho_tipo, gatilho_sequence, payload ->> 'unidade_civica_id', payload ->> 'demanda_id', criado_em
from d5.publicacoes_pendentes
where correlacao_id = :correlacao_id::uuid
order by id;

-- name: intervencao(correlacao_id)^
-- The operator's act whose id is the correlation of what it caused (D32).
select tipo, quem, quando, aplicado_ate from d5.intervencoes where id = :correlacao_id::uuid;
