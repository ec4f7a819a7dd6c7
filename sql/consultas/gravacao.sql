-- What a batch changed, each entity once, in bulk.

-- name: gravar_scores(demandas, unidades, categorias, niveis, scores, pesos_nacionais, pesos_situacionais, horizontais, posicoes, versoes, event_ids, correlacoes, sequencias, criados)!
-- inserirScore() / atualizarScore(): one row per demand, never overwritten by an older event (2.2). Units seen for the first time are kept.
with novas_unidades as (
    insert into d5.unidades_civicas (unidade_civica_id)
    select distinct unnest(:unidades::uuid[])
    on conflict do nothing
)
insert into d5.backlog_scores (
    id, demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional, peso_situacional,
    score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id, sequence_number, criado_em
)
select md5('backlog_scores:' || n.demanda_id)::uuid, n.*
from unnest(
    :demandas::uuid[], :unidades::uuid[], :categorias::text[], :niveis::int[], :scores::numeric[], :pesos_nacionais::numeric[],
    :pesos_situacionais::numeric[], :horizontais::int[], :posicoes::int[], :versoes::text[], :event_ids::uuid[],
    :correlacoes::uuid[], :sequencias::bigint[], :criados::timestamptz[]
) as n (
    demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional,
    peso_situacional, score_horizontal, posicao_ranking, versao_parametros, event_id,
    correlacao_id, sequence_number, criado_em
)
on conflict (demanda_id) do update
set
    unidade_civica_id = excluded.unidade_civica_id,
    categoria_id = excluded.categoria_id,
    nivel_precedencia = excluded.nivel_precedencia,
    score_final = excluded.score_final,
    peso_nacional = excluded.peso_nacional,
    peso_situacional = excluded.peso_situacional,
    score_horizontal = excluded.score_horizontal,
    posicao_ranking = excluded.posicao_ranking,
    versao_parametros = excluded.versao_parametros,
    event_id = excluded.event_id,
    correlacao_id = excluded.correlacao_id,
    sequence_number = excluded.sequence_number
where backlog_scores.sequence_number < excluded.sequence_number;

-- name: gravar_itens(demandas, unidades, posicoes, scores, status, grupos, categorias, niveis, event_ids, entradas, atualizacoes, conclusoes, dias)!
-- upsertItem(): rows of the backlog in their last state. Units seen for the first time are kept.
with novas_unidades as (
    insert into d5.unidades_civicas (unidade_civica_id)
    select distinct unnest(:unidades::uuid[])
    on conflict do nothing
)
insert into d5.backlog_items (
    demanda_id, unidade_civica_id, posicao, score, status, grupo_id, categoria_id, nivel_precedencia,
    event_id, entrou_em, atualizado_em, data_conclusao, dias_ate_conclusao
)
select *
from unnest(
    :demandas::uuid[], :unidades::uuid[], :posicoes::int[], :scores::numeric[], :status::text[], :grupos::uuid[],
    :categorias::text[], :niveis::int[], :event_ids::uuid[], :entradas::timestamptz[], :atualizacoes::timestamptz[],
    :conclusoes::timestamptz[], :dias::int[]
)
on conflict (demanda_id) do update
set
    unidade_civica_id = excluded.unidade_civica_id,
    posicao = excluded.posicao,
    score = excluded.score,
    status = excluded.status,
    grupo_id = excluded.grupo_id,
    categoria_id = excluded.categoria_id,
    nivel_precedencia = excluded.nivel_precedencia,
    event_id = excluded.event_id,
    entrou_em = excluded.entrou_em,
    atualizado_em = excluded.atualizado_em,
    data_conclusao = excluded.data_conclusao,
    dias_ate_conclusao = excluded.dias_ate_conclusao;

-- name: remover_itens(demandas)!
-- removerItensForaDoBacklog(): rows that a rebuild left out (3.11 f).
delete from d5.backlog_items where demanda_id = any(:demandas::uuid[]);

-- name: remover_demais_itens(unidades, gravadas)!
-- The same for rows nobody looked at: all others of a rebuilt unit, except aggregated ones.
delete from d5.backlog_items as i
where i.unidade_civica_id = any(:unidades::uuid[])
    and i.status <> 'agregado'
    and not exists (select from unnest(:gravadas::uuid[]) as g (demanda_id) where g.demanda_id = i.demanda_id);
