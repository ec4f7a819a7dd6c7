-- What a batch of events has to know before it is folded.
-- LIMIT 1 changes no row (each key is unique): it keeps PostgreSQL from reading whole tables for a few demands.

-- name: scores_ja_aplicados(event_ids)
-- Which of the events are the last one applied to a score: redelivered (3.10, step 1).
select event_id from d5.backlog_scores where event_id = any(:event_ids::uuid[]);

-- name: cruzadas()
-- Rows in another unit than their score: drawn outside the backlog (D16), hence at position 0.
select distinct i.unidade_civica_id, s.unidade_civica_id
from d5.backlog_items as i
join d5.backlog_scores as s on s.demanda_id = i.demanda_id
where i.posicao = 0 and i.unidade_civica_id <> s.unidade_civica_id;

-- name: demandas(demandas)
-- Row, recorded status, score and aggregation of each demand; one row per demand.
select
    d.demanda_id,
    i.unidade_civica_id, i.posicao, i.score, i.status, i.grupo_id, i.categoria_id, i.nivel_precedencia,
    i.event_id, i.entrou_em, i.atualizado_em, i.data_conclusao, i.dias_ate_conclusao,
    q.status, q.sequence_number, q.entrou_em, q.data_conclusao, q.dias_ate_conclusao,
    s.unidade_civica_id, s.categoria_id, s.nivel_precedencia, s.sequence_number, s.event_id,
    a.demanda_id is not null
from unnest(:demandas::uuid[]) as d (demanda_id)
left join lateral (select * from d5.backlog_scores where demanda_id = d.demanda_id limit 1) as s on true
left join lateral (select * from d5.backlog_items where demanda_id = d.demanda_id limit 1) as i on true
left join lateral (select * from d5.situacao_demandas where demanda_id = d.demanda_id limit 1) as q on true
left join lateral (select * from d5.demandas_agregadas where demanda_id = d.demanda_id limit 1) as a on true;

-- name: linhas(demandas)
-- Row and recorded status of each demand; one row per demand.
select
    d.demanda_id,
    i.unidade_civica_id, i.posicao, i.score, i.status, i.grupo_id, i.categoria_id, i.nivel_precedencia,
    i.event_id, i.entrou_em, i.atualizado_em, i.data_conclusao, i.dias_ate_conclusao,
    q.status, q.sequence_number, q.entrou_em, q.data_conclusao, q.dias_ate_conclusao
from unnest(:demandas::uuid[]) as d (demanda_id)
left join lateral (select * from d5.backlog_items where demanda_id = d.demanda_id limit 1) as i on true
left join lateral (select * from d5.situacao_demandas where demanda_id = d.demanda_id limit 1) as q on true;

-- name: unidades(unidades, quantos)
-- Capacity, number of active items and last announced demand of each unit, once for each of its first :quantos available
-- items by (posicao, score desc, demanda_id) (D9), or once without any.
select
    u.unidade_civica_id,
    coalesce(c.capacidade, p.capacidade_padrao),
    (
        select count(*)
        from d5.backlog_items as i
        where i.unidade_civica_id = u.unidade_civica_id
            and i.status in ('disponivel', 'atribuido', 'em_progresso')
    ),
    a.demanda_id,
    t.demanda_id, t.unidade_civica_id, t.posicao, t.score, t.status, t.grupo_id, t.categoria_id, t.nivel_precedencia,
    t.event_id, t.entrou_em, t.atualizado_em, t.data_conclusao, t.dias_ate_conclusao
from unnest(:unidades::uuid[], :quantos::int[]) as u (unidade_civica_id, quantos)
cross join (select * from d5.param_versions order by id desc limit 1) as p
left join lateral (
    select capacidade from d5.param_capacidade_por_uc where param_id = p.id and unidade_civica_id = u.unidade_civica_id limit 1
) as c on true
left join lateral (
    select demanda_id from d5.anuncios_por_uc where unidade_civica_id = u.unidade_civica_id limit 1
) as a on true
left join lateral (
    select *
    from d5.backlog_items as i
    where i.unidade_civica_id = u.unidade_civica_id and i.status = 'disponivel'
    order by i.posicao, i.score desc, i.demanda_id
    limit u.quantos
) as t on true;
