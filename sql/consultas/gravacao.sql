-- What a batch changed, each entity once, in bulk: one array per column, under its name.

-- name: gravar_scores(demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional, peso_situacional, score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id, sequence_number, criado_em)!
-- inserirScore() / atualizarScore(): one row per demand, never overwritten by an older event (2.2); new units are kept.
with novas_unidades as (
    insert into d5.unidades_civicas (unidade_civica_id)
    select distinct unnest(:unidade_civica_id::uuid[]) on conflict do nothing
)
insert into d5.backlog_scores (
    id, demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional, peso_situacional,
    score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id, sequence_number, criado_em
)
select md5('backlog_scores:' || n.demanda_id)::uuid, n.*
from unnest(
    :demanda_id::uuid[], :unidade_civica_id::uuid[], :categoria_id::text[], :nivel_precedencia::int[],
    :score_final::numeric[], :peso_nacional::numeric[], :peso_situacional::numeric[], :score_horizontal::int[],
    :posicao_ranking::int[], :versao_parametros::text[], :event_id::uuid[], :correlacao_id::uuid[],
    :sequence_number::bigint[], :criado_em::timestamptz[]
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

-- name: gravar_itens(demanda_id, unidade_civica_id, posicao, score, status, grupo_id, categoria_id, nivel_precedencia, event_id, entrou_em, atualizado_em, data_conclusao, dias_ate_conclusao)!
-- upsertItem(): rows of the backlog in their last state; new units are kept.
with novas_unidades as (
    insert into d5.unidades_civicas (unidade_civica_id)
    select distinct unnest(:unidade_civica_id::uuid[]) on conflict do nothing
)
insert into d5.backlog_items (
    demanda_id, unidade_civica_id, posicao, score, status, grupo_id, categoria_id, nivel_precedencia,
    event_id, entrou_em, atualizado_em, data_conclusao, dias_ate_conclusao
)
select *
from unnest(
    :demanda_id::uuid[], :unidade_civica_id::uuid[], :posicao::int[], :score::numeric[], :status::text[],
    :grupo_id::uuid[], :categoria_id::text[], :nivel_precedencia::int[], :event_id::uuid[], :entrou_em::timestamptz[],
    :atualizado_em::timestamptz[], :data_conclusao::timestamptz[], :dias_ate_conclusao::int[]
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
