-- Positions in the log and the fence between writers (D2 to D4).

-- name: travar_se_livre()$
-- Epoch read with the state, or nothing while another writer holds it. Planning costs more than most statements here, so
-- plans are made once, and they outlive the statistics they were made from: a table that is empty today is no reason to
-- scan it tomorrow. JIT would cost seconds. All this for the one transaction.
select
    epoca,
    set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('enable_seqscan', 'off', true),
    set_config('jit', 'off', true)
from d5.controle
for update skip locked;

-- name: travar()$
-- The same, waiting; the row lock spares a second writer wasted work, the comparison at the end is the guarantee.
select
    epoca,
    set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('enable_seqscan', 'off', true),
    set_config('jit', 'off', true)
from d5.controle
for update;

-- name: avancar_epoca(epoca)$
-- One writer moves the epoch; nothing comes back where another one was faster.
update d5.controle set epoca = epoca + 1 where epoca = :epoca returning epoca;

-- name: listar()
-- Every cursor, by type.
select tipo_evento, last_sequence, aplicado_ate, ultimo_evento, updated_at
from d5.consumer_offset
order by tipo_evento;

-- name: semear(posicao, tipos)!
-- Seeds the cursors of :tipos at :posicao and leaves existing ones alone (4.7).
insert into d5.consumer_offset (tipo_evento, last_sequence, aplicado_ate, ultimo_evento)
select tipo, :posicao, :posicao, :posicao
from unnest(:tipos::text[]) as tipo
on conflict (tipo_evento) do nothing;

-- name: definir(posicao, tipos)!
-- An operator's word: the next read of :tipos starts above :posicao; a missing cursor comes back.
insert into d5.consumer_offset (tipo_evento, last_sequence, aplicado_ate, ultimo_evento)
select tipo, :posicao, :posicao, :posicao
from unnest(:tipos::text[]) as tipo
on conflict (tipo_evento) do update
set
    last_sequence = excluded.last_sequence,
    aplicado_ate = excluded.aplicado_ate,
    ultimo_evento = excluded.ultimo_evento,
    updated_at = now();

-- name: avancar_aplicado(ate, tipos, ultimos)!
-- Effects are durable up to :ate for all types together; :tipos and :ultimos name the last event of each among them.
-- last_sequence follows at once where nothing waits to be published.
with julgamento as (
    update d5.controle set julgado_ate = :ate where julgado_ate < :ate
),
pendentes as (
    select exists (select from d5.publicacoes_pendentes) as ha
)
update d5.consumer_offset as c
set
    aplicado_ate = greatest(c.aplicado_ate, :ate),
    ultimo_evento = greatest(c.ultimo_evento, n.ultimo),
    last_sequence = case when p.ha then c.last_sequence else greatest(c.last_sequence, c.ultimo_evento, n.ultimo) end,
    updated_at = case when p.ha or c.last_sequence >= greatest(c.ultimo_evento, n.ultimo) then c.updated_at else now() end
from d5.consumer_offset as o
left join unnest(:tipos::text[], :ultimos::bigint[]) as n (tipo, ultimo) on n.tipo = o.tipo_evento
cross join pendentes as p
where o.tipo_evento = c.tipo_evento
    and (c.aplicado_ate < :ate or c.ultimo_evento < n.ultimo or (not p.ha and c.last_sequence < c.ultimo_evento));

-- name: avancar_cursores()!
-- Moves last_sequence to the last applied event of each type once everything up to there is published (T15, T16).
update d5.consumer_offset
set last_sequence = ultimo_evento, updated_at = now()
where last_sequence < ultimo_evento and not exists (select from d5.publicacoes_pendentes);

-- name: avancar_cursores_ate(tipos, ultimos)!
-- As above, but only up to the given event of each type: a later publication is still pending.
update d5.consumer_offset as c
set last_sequence = n.ultimo, updated_at = now()
from unnest(:tipos::text[], :ultimos::bigint[]) as n (tipo, ultimo)
where n.tipo = c.tipo_evento and c.last_sequence < n.ultimo and n.ultimo <= c.ultimo_evento;

-- name: julgado_ate()$
-- How far the log was searched for holes.
select julgado_ate from d5.controle;

-- name: avancar_julgado(ate)!
-- The log was searched up to :ate.
update d5.controle set julgado_ate = :ate where julgado_ate < :ate;

-- name: recuar_julgado(posicao)!
-- The log ends at :posicao: what comes above is searched for holes anew.
update d5.controle set julgado_ate = :posicao where julgado_ate > :posicao;
