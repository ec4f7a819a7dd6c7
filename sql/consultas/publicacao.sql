-- The outbox and the dead letters (D7, D11).

-- name: pendentes(limite)
-- The first :limite pending publications, in order.
select id, gatilho_sequence, gatilho_event_id, gatilho_tipo
from d5.publicacoes_pendentes
order by id
limit :limite;

-- name: ha_pendentes()$
-- Whether anything waits to be published.
select exists (select from d5.publicacoes_pendentes);

-- name: enterrar(sequencia, event_id, tipo, motivo, erro, tentativas)!
-- One dead letter per event and motive; a repeated failure adds its attempts.
insert into d5.dlq (sequence_number, event_id, tipo, motivo, erro, tentativas)
values (:sequencia, :event_id, :tipo, :motivo, :erro, :tentativas)
on conflict (event_id, motivo) do update
set
    erro = excluded.erro,
    tentativas = dlq.tentativas + excluded.tentativas,
    situacao = 'aberta',
    atualizado_em = now();

-- name: encerrar_publicadas(gatilhos)!
-- A publication's dead letter is closed by the commit that publishes its rows.
update d5.dlq
set situacao = 'resolvida', atualizado_em = now()
where motivo = 'publicacao' and situacao = 'aberta' and event_id = any(:gatilhos::uuid[])
    and not exists (select from d5.publicacoes_pendentes as p where p.gatilho_event_id = dlq.event_id);
