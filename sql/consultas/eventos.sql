-- What became of an event.

-- name: localizar(event_ids, sequencias)
-- Events of the log by id or number.
select event_id, sequence_number
from d5.event_log
where event_id = any(:event_ids::uuid[]) or sequence_number = any(:sequencias::bigint[]);

-- name: registro(sequencia)^
-- The event as it stands in the log.
select sequence_number, event_id, tipo, versao_schema, origem, correlacao_id, criado_em, payload
from d5.event_log
where sequence_number = :sequencia;

-- name: descarte(sequencia)^
-- Its discard, if there is one.
select motivo, situacao, descartado_em from d5.eventos_descartados where sequence_number = :sequencia;

-- name: mortas(event_id)
-- Its dead letters.
select motivo, situacao, tentativas, proxima_em, erro from d5.dlq where event_id = :event_id order by id;

-- name: efeitos(event_id)
-- What of it is still visible: transitions it caused, rows whose last change it is, publications it led to that wait.
select 'transição de ' || de || ' para ' || para, demanda_id
from d5.transicoes_status
where event_id = :event_id
union all
select 'score vigente', demanda_id from d5.backlog_scores where event_id = :event_id
union all
select 'última mudança da linha do backlog', demanda_id from d5.backlog_items where event_id = :event_id
union all
select 'anúncio vigente da unidade', demanda_id from d5.anuncios_por_uc where event_id = :event_id
union all
select 'publicação pendente de ' || tipo, null::uuid from d5.publicacoes_pendentes where gatilho_event_id = :event_id;

-- name: publicacoes(correlacao_id, sequencia)
-- Events that D-5 published with the same correlation after it.
select sequence_number, tipo, criado_em
from d5.event_log
where correlacao_id = :correlacao_id and origem = 'D-5' and sequence_number > :sequencia
order by sequence_number
limit 20;
