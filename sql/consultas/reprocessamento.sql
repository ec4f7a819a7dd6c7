-- A replay beside the live tables: its schemas, what differs, putting its rows in their place.
-- {tabela}, {viva}, {sombra}: identifiers, filled in by the caller.

-- name: reservar()$
-- Whether this session may replay: another one would take the schemas away from it. Given back with the session.
select pg_try_advisory_lock(hashtext('d5.reprocessamento'));

-- name: apagar_esquemas()#
-- Nothing of a replay stays, an earlier one's remains included.
drop schema if exists d5_reprocessamento_modelos cascade;
drop schema if exists d5_reprocessamento cascade;

-- name: mortas()
-- Events that failed while applied: a replay leaves them out until their re-drive.
select event_id from d5.dlq where motivo = 'aplicacao';

-- name: diferencas(ignoradas)
-- Rows that only one side has, some columns aside.
with vivas as (select to_jsonb(v) - :ignoradas::text[] as linha from {viva} as v),
refeitas as (select to_jsonb(s) - :ignoradas::text[] as linha from {sombra} as s)
(select 'viva' as onde, linha from vivas except all select 'viva', linha from refeitas)
union all
(select 'refeita' as onde, linha from refeitas except all select 'refeita', linha from vivas)
order by 2, 1;

-- name: esvaziar()#
-- First half of the exchange.
delete from {viva};

-- name: preencher()#
-- Second half.
insert into {viva} overriding system value select * from {sombra};

-- name: numerar_adiante()$
-- The history's next line gets a number above all that were put in its place.
select setval(numeros.nome, greatest(nextval(numeros.nome), max(t.id)))
from d5.transicoes_status as t
cross join (select pg_get_serial_sequence('d5.transicoes_status', 'id')::regclass as nome) as numeros
group by numeros.nome;

-- name: publicadas(desde)
-- What D-5 published or has pending after :desde, per unit in order, without wall clock and random ids.
select payload ->> 'unidade_civica_id' as unidade, tipo, correlacao_id, payload - 'timestamp' as payload
from (
    select 0 as grupo, sequence_number as ordem, tipo, correlacao_id, payload
    from d5.event_log
    where origem = 'D-5' and sequence_number > :desde
    union all
    select 1, id, tipo, correlacao_id, payload from d5.publicacoes_pendentes
) as todas
order by 1, grupo, ordem;

-- name: refeitas()
-- What the replay would have published, per unit in order.
select payload ->> 'unidade_civica_id' as unidade, tipo, correlacao_id, payload - 'timestamp' as payload
from d5_reprocessamento.publicacoes_pendentes
order by 1, id;
