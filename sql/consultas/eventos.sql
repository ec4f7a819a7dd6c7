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

-- name: descartes(event_ids)
-- Discards among the events.
select event_id, motivo, situacao from d5.eventos_descartados where event_id = any(:event_ids::uuid[]);

-- name: mortas(event_ids)
-- Their dead letters.
select event_id, motivo, situacao, tentativas, proxima_em, erro
from d5.dlq
where event_id = any(:event_ids::uuid[])
order by id;

-- name: inicios()
-- Where an operator let the reading begin: at first (D1), or later for some types (D4).
select tipo, (argumentos ->> 'posicao')::bigint, argumentos -> 'tipos'
from d5.intervencoes
where tipo in ('semeadura', 'cursores');

-- name: efeitos(event_ids)
-- What of them is still visible: transitions they caused, rows whose last change they are, publications that wait for them.
select event_id, 'transição de ' || de || ' para ' || para, demanda_id
from d5.transicoes_status
where event_id = any(:event_ids::uuid[])
union all
select event_id, 'score vigente', demanda_id from d5.backlog_scores where event_id = any(:event_ids::uuid[])
union all
select event_id, 'última mudança da linha do backlog', demanda_id
from d5.backlog_items
where event_id = any(:event_ids::uuid[])
union all
select event_id, 'anúncio vigente da unidade', demanda_id from d5.anuncios_por_uc where event_id = any(:event_ids::uuid[])
union all
select evento_id, 'agregação', demanda_id from d5.demandas_agregadas where evento_id = any(:event_ids::uuid[])
union all
select gatilho_event_id, 'publicação pendente de ' || tipo, null::uuid
from d5.publicacoes_pendentes
where gatilho_event_id = any(:event_ids::uuid[]);

-- name: publicacoes(correlacao_id, sequencia)
-- Events that D-5 published with the same correlation after it.
select sequence_number, tipo, criado_em
from d5.event_log
where correlacao_id = :correlacao_id and origem = 'D-5' and sequence_number > :sequencia
order by sequence_number
limit 20;
