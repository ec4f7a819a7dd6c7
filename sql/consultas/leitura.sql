-- Reading the log, above positions and below holes.

-- name: varrer_prefixo(desde, limite, alto)^
-- Last number among the next :limite rows above :desde, and the holes between them that end above :alto.
with linhas as (
    select sequence_number
    from d5.event_log
    where sequence_number > :desde
    order by sequence_number
    limit :limite
),
vizinhas as (
    select sequence_number as atual, lag(sequence_number, 1, :desde::bigint) over (order by sequence_number) as anterior
    from linhas
)
select
    coalesce(max(atual), :desde::bigint) as ultimo,
    coalesce(array_agg(greatest(anterior, :alto::bigint) + 1 order by atual) filter (where atual > greatest(anterior, :alto::bigint) + 1), '{}') as inicios,
    coalesce(array_agg(atual - 1 order by atual) filter (where atual > greatest(anterior, :alto::bigint) + 1), '{}') as fins
from vizinhas;

-- name: faixas_vazias(inicios, fins)
-- Those of the given ranges that hold no row.
select faixa.inicio, faixa.fim
from unnest(:inicios::bigint[], :fins::bigint[]) as faixa (inicio, fim)
where not exists (
    select from d5.event_log as l where l.sequence_number between faixa.inicio and faixa.fim
);

-- name: ler_eventos(desde, ate, grafias, alto, posicoes, limite)
-- Consumed events up to :ate, each type above its own position, in log order.
select l.sequence_number, l.event_id, l.tipo, l.versao_schema, l.correlacao_id, l.criado_em, l.payload
from d5.eventos_consumidos as l
where l.sequence_number > :desde
    and l.sequence_number <= :ate
    and l.tipo = any(:grafias)
    and (
        l.sequence_number > :alto
        or l.sequence_number > (
            select c.aplicado_ate
            from unnest(:grafias::text[], :posicoes::bigint[]) as c (grafia, aplicado_ate)
            where c.grafia = l.tipo
        )
    )
order by l.sequence_number
limit :limite;

-- name: ler_por_numero(sequencias, grafias)
-- Consumed events by their numbers, in log order: for a re-drive.
select l.sequence_number, l.event_id, l.tipo, l.versao_schema, l.correlacao_id, l.criado_em, l.payload
from d5.eventos_consumidos as l
where l.sequence_number = any(:sequencias) and l.tipo = any(:grafias)
order by l.sequence_number;
