-- The rebuild of a wave's units (4.1).

-- name: selecionadas(unidades)
-- The model's answer: the selected demands of the units, in order.
select
    unidade_civica_id, demanda_id, posicao, score_final, categoria_id, nivel_precedencia, prioritaria, lat, lng
from d5_modelos.backlog_ordenado
where unidade_civica_id = any(:unidades::uuid[]);

-- name: niveis(unidades)
-- The current level of each unit that has scores.
select unidade_civica_id, nivel_nao_vencido
from d5_modelos.nivel_nao_vencido
where unidade_civica_id = any(:unidades::uuid[]);

-- name: memoria(demandas)
-- Row of each selected demand, else its last recorded transition (D10).
select
    d.demanda_id,
    i.demanda_id is not null as tem_linha,
    coalesce(i.status, q.status) as status,
    case when i.demanda_id is null then q.entrou_em else i.entrou_em end as entrou_em,
    i.atualizado_em,
    case when i.demanda_id is null then q.data_conclusao else i.data_conclusao end as data_conclusao,
    case when i.demanda_id is null then q.dias_ate_conclusao else i.dias_ate_conclusao end as dias_ate_conclusao
from unnest(:demandas::uuid[]) as d (demanda_id)
left join lateral (select * from d5.backlog_items where demanda_id = d.demanda_id limit 1) as i on true
left join lateral (select * from d5.situacao_demandas where demanda_id = d.demanda_id limit 1) as q on true
where i.demanda_id is not null or q.demanda_id is not null;

-- name: anunciadas(unidades)
-- The demand last announced by each unit.
select unidade_civica_id, demanda_id from d5.anuncios_por_uc where unidade_civica_id = any(:unidades::uuid[]);

-- name: remover_fora_da_selecao(unidades, demandas)!
-- removerItensForaDoBacklog(): rows of the units outside the selection, except aggregated ones (3.11 f).
delete from d5.backlog_items as i
where i.unidade_civica_id = any(:unidades::uuid[])
    and i.status <> 'agregado'
    and not exists (select from unnest(:demandas::uuid[]) as s (demanda_id) where s.demanda_id = i.demanda_id);

-- name: lembrar_entradas(demandas, entradas)!
-- The entry time of a demand with a recorded status is kept from its first row on (D10).
update d5.situacao_demandas as q
set entrou_em = n.entrou_em
from unnest(:demandas::uuid[], :entradas::timestamptz[]) as n (demanda_id, entrou_em)
where q.demanda_id = n.demanda_id and q.entrou_em is null;

-- name: parametros()^
-- What a rebuild needs of the current parameters outside the models.
select versao, raio_metros, min_pontos from d5.param_versions order by id desc limit 1;
