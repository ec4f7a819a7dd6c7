-- Dead letters and discards: writing, re-driving, looking at them (D7, D11, D12).
-- A dead letter is aberta until it is resolvida, esgotada (no automatic attempt left) or descartada by an operator.

-- name: enterrar(sequencia, event_id, tipo, motivo, erro, tentativas, espera)!
-- One dead letter per event and motive, under its present number; a repeated failure adds its attempts.
insert into d5.dlq (sequence_number, event_id, tipo, motivo, erro, tentativas, proxima_em)
values (:sequencia, :event_id, :tipo, :motivo, :erro, :tentativas, now() + make_interval(secs => :espera))
on conflict (event_id, motivo) do update
set
    sequence_number = excluded.sequence_number,
    erro = excluded.erro,
    tentativas = dlq.tentativas + excluded.tentativas,
    situacao = 'aberta',
    proxima_em = excluded.proxima_em,
    atualizado_em = now();

-- name: encerrar_publicadas(gatilhos)!
-- A publication's dead letter is closed by the commit that publishes its rows.
update d5.dlq
set situacao = 'resolvida', proxima_em = null, atualizado_em = now()
where motivo = 'publicacao' and situacao = 'aberta' and event_id = any(:gatilhos::uuid[])
    and not exists (select from d5.publicacoes_pendentes as p where p.gatilho_event_id = dlq.event_id);

-- name: sem_solucao()
-- Events whose application failed and that nobody has settled, in log order.
select event_id, sequence_number
from d5.dlq
where motivo = 'aplicacao' and situacao in ('aberta', 'esgotada')
order by sequence_number;

-- name: encerrar_aplicadas(event_ids)!
-- A dead letter is closed by the commit that applies its event after all.
update d5.dlq
set situacao = 'resolvida', proxima_em = null, atualizado_em = now()
where motivo = 'aplicacao' and situacao in ('aberta', 'esgotada') and event_id = any(:event_ids::uuid[]);

-- name: vencidas()
-- Dead letters whose next automatic attempt is due, in log order.
select event_id, sequence_number, tentativas
from d5.dlq
where motivo = 'aplicacao' and situacao = 'aberta' and proxima_em <= now()
order by sequence_number;

-- name: ha_vencidas()$
-- Whether an automatic attempt is due.
select exists (select from d5.dlq where motivo = 'aplicacao' and situacao = 'aberta' and proxima_em <= now());

-- name: registrar_tentativa(erro, espera, event_id)!
-- Another attempt failed: the next one later, or none.
update d5.dlq
set
    erro = :erro,
    tentativas = tentativas + 1,
    situacao = case when :espera::float8 is null then 'esgotada' else 'aberta' end,
    proxima_em = now() + make_interval(secs => :espera::float8),
    atualizado_em = now()
where motivo = 'aplicacao' and event_id = :event_id;

-- name: listar(todas)
-- Dead letters that wait for something, or all of them.
select id, sequence_number, event_id, tipo, motivo, situacao, tentativas, proxima_em, criado_em, erro
from d5.dlq
where :todas or situacao in ('aberta', 'esgotada')
order by sequence_number, motivo;

-- name: descartar(event_ids)!
-- An operator gives a dead letter up; it stays as a record.
update d5.dlq
set situacao = 'descartada', proxima_em = null, atualizado_em = now()
where motivo = 'aplicacao' and situacao in ('aberta', 'esgotada') and event_id = any(:event_ids::uuid[]);
