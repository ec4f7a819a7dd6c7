-- What only `d5 metricas` reads, under the same terms as sinais.sql, and what is counted for it.

-- name: contar_reconstrucoes(limites, totais, somas)!
-- Rebuilds of this transaction, by bucket of their duration.
insert into d5.duracao_rebuilds as d (ate_ms, total, soma_ms)
select * from unnest(:limites::float8[], :totais::bigint[], :somas::float8[])
on conflict (ate_ms) do update set total = d.total + excluded.total, soma_ms = d.soma_ms + excluded.soma_ms;

-- name: duracoes()
-- Rebuilds by bucket.
select ate_ms, total, soma_ms from d5.duracao_rebuilds order by ate_ms;

-- name: publicadas()
-- Published events by type.
select tipo, total from d5.contagem_publicacoes;

-- name: backlog(status)
-- Items of every known unit by status, found through the index: aggregated members are not in the backlog (4.10).
select u.unidade_civica_id, i.status, i.itens
from d5.unidades_civicas as u
left join lateral (
    select status, count(*) as itens
    from d5.backlog_items
    where unidade_civica_id = u.unidade_civica_id and status = any(:status)
    group by status
) as i on true
order by u.unidade_civica_id;

-- name: anuncio_mais_antigo()$
-- Age of the oldest announcement whose demand is still available: nobody was drawn for it yet.
select greatest(extract(epoch from now() - min(a.anunciado_em)), 0)::float8
from d5.anuncios_por_uc as a
join lateral (select status from d5.backlog_items where demanda_id = a.demanda_id limit 1) as i on true
where i.status = 'disponivel';
