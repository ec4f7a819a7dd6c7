-- What runs report to Dagster's UI, and what its checks look at; read only.

-- name: planejar_sem_jit()$
-- Compiling the views would cost seconds; only for this transaction.
select set_config('jit', 'off', true);

-- name: agenda(unidade)
-- The agenda of a unit in order, aggregated members aside, with coordinates where they are known.
select
    i.posicao, i.demanda_id, i.nivel_precedencia, i.categoria_id, i.score, i.status, i.grupo_id, i.entrou_em, c.lat, c.lng
from d5.backlog_items as i
left join d5.coordenadas_demanda as c on c.demanda_id = i.demanda_id
where i.unidade_civica_id = :unidade and i.status <> 'agregado'
order by i.posicao, i.score desc, i.demanda_id;

-- name: vagas(unidade)
-- Slots that the geometric decay offers to each level; one row without level under the uniform distribution.
select nivel_nao_vencido, nivel, vagas
from d5_modelos.vagas_por_nivel
where unidade_civica_id = :unidade
order by nivel;

-- name: contar_backlog()^
-- Rows of the backlog, units they belong to, and how many of the rows are available.
select count(*), count(distinct unidade_civica_id), count(*) filter (where status = 'disponivel') from d5.backlog_items;

-- name: dlq_por_situacao()^
-- Dead letters that wait for the next attempt, and those without one.
select count(*) filter (where situacao = 'aberta'), count(*) filter (where situacao = 'esgotada') from d5.dlq;

-- name: publicacoes_a_espera()^
-- How many publications wait, and for how many seconds the oldest one.
select count(*), extract(epoch from now() - min(criado_em))::float8 from d5.publicacoes_pendentes;

-- name: anuncios_abertos(dias)
-- Announced demands still available more than :dias days later, by the clock of the neighbours: their last event.
select a.unidade_civica_id, a.demanda_id, extract(epoch from l.criado_em - a.anunciado_em)::float8 / 86400 as dias
from d5.anuncios_por_uc as a
join d5.backlog_items as i on i.demanda_id = a.demanda_id and i.status = 'disponivel'
cross join (select criado_em from d5.event_log where origem <> 'D-5' order by sequence_number desc limit 1) as l
where l.criado_em - a.anunciado_em > make_interval(days => :dias)
order by dias desc, a.unidade_civica_id;

-- name: pesos()
-- Weight of each unit and level in the last event that ranked a demand of it, and in the current parameters (8.4).
with dos_eventos as (
    select distinct on (unidade_civica_id, nivel_precedencia) unidade_civica_id, nivel_precedencia, peso_situacional
    from d5.backlog_scores
    order by unidade_civica_id, nivel_precedencia, sequence_number desc
)
select unidade_civica_id, nivel_precedencia, e.peso_situacional, round(p.peso::numeric, 4)
from dos_eventos as e
full join (
    select unidade_civica_id, nivel_precedencia, peso
    from d5.param_pesos_situacionais
    where param_id = (select max(id) from d5.param_versions)
) as p using (unidade_civica_id, nivel_precedencia)
order by unidade_civica_id, nivel_precedencia;
