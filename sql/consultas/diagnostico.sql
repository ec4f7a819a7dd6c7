-- What an operator asks of a running database: read only.

-- name: atraso(grafias, posicoes, desde)
-- Consumed events above the applied position of their type.
select l.tipo, count(*) as eventos, min(l.criado_em) as mais_antigo
from d5.event_log as l
join unnest(:grafias::text[], :posicoes::bigint[]) as c (grafia, aplicado_ate) on c.grafia = l.tipo
where l.sequence_number > :desde and l.sequence_number > c.aplicado_ate
group by l.tipo;

-- name: lacunas_passadas()$
-- Numbers that were never used.
select coalesce(sum(fim - inicio + 1), 0)::bigint from d5.lacunas where situacao = 'passada';

-- name: backlog()
-- Items of each unit by status.
select unidade_civica_id, status, count(*) as itens
from d5.backlog_items
group by unidade_civica_id, status
order by unidade_civica_id, status;

-- name: filas()^
-- Publications waiting, open dead letters, discards.
select
    (select count(*) from d5.publicacoes_pendentes),
    (select count(*) from d5.dlq where situacao in ('aberta', 'esgotada')),
    (select count(*) from d5.eventos_descartados where situacao = 'descartado');

-- name: unidades_silenciosas()
-- Units with scores that wait and no available item (D31).
select u.unidade_civica_id
from d5.unidades_civicas as u
where not exists (
    select from d5.backlog_items as i where i.unidade_civica_id = u.unidade_civica_id and i.status = 'disponivel'
)
and exists (
    select
    from d5.backlog_scores as s
    where s.unidade_civica_id = u.unidade_civica_id
        and not exists (select from d5.backlog_items as i where i.demanda_id = s.demanda_id)
        and not exists (select from d5.demandas_agregadas as a where a.demanda_id = s.demanda_id)
        and not exists (
            select from d5.situacao_demandas as q
            where q.demanda_id = s.demanda_id and q.status in ('concluido', 'agregado', 'removido')
        )
)
order by u.unidade_civica_id;

-- name: agenda(unidades)
-- The backlog of some units in order, aggregated members aside.
select
    i.unidade_civica_id, i.posicao, i.demanda_id, i.score, i.nivel_precedencia, i.categoria_id, i.status, i.grupo_id
from d5.backlog_items as i
where i.unidade_civica_id = any(:unidades::uuid[]) and i.status <> 'agregado'
order by i.unidade_civica_id, i.posicao, i.score desc, i.demanda_id;
