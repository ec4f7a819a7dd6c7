-- Reading the log, above positions and below holes.

-- name: cabecalho(tipos, limite)^
-- What a batch has to know first: positions, the last number among the next :limite rows of the log and how many rows
-- these are, and whether anything waits: an open hole, a dead letter.
with cursores as (
    select
        array_agg(tipo_evento) as tipos,
        array_agg(aplicado_ate) as aplicados,
        min(aplicado_ate) as desde
    from d5.consumer_offset
    where tipo_evento = any(:tipos::text[])
),
prefixo as (
    select max(sequence_number) as ultimo, count(*) as linhas
    from (
        select sequence_number
        from d5.event_log
        where sequence_number > (select desde from cursores)
        order by sequence_number
        limit :limite
    ) as seguintes
)
select
    c.tipos,
    c.aplicados,
    k.julgado_ate,
    coalesce(p.ultimo, c.desde) as ultimo,
    p.linhas,
    exists (select from d5.lacunas where situacao = 'aberta') as ha_lacunas,
    exists (select from d5.dlq where motivo = 'aplicacao' and situacao in ('aberta', 'esgotada')) as ha_mortas
from cursores as c
cross join d5.controle as k
cross join prefixo as p;

-- name: proximas(desde, limite)^
-- The last number among the next :limite rows of the log above :desde, and how many rows these are.
select coalesce(max(sequence_number), :desde), count(*)
from (
    select sequence_number from d5.event_log where sequence_number > :desde order by sequence_number limit :limite
) as seguintes;

-- name: lacunas_entre(desde, alto, ate)
-- Holes between the rows above :desde, up to :ate, as far as they end above :alto.
select greatest(anterior, :alto::bigint) + 1 as inicio, atual - 1 as fim
from (
    select sequence_number as atual, lag(sequence_number, 1, :desde::bigint) over (order by sequence_number) as anterior
    from d5.event_log
    where sequence_number > :desde and sequence_number <= :ate
) as vizinhas
where atual > greatest(anterior, :alto::bigint) + 1
order by atual;

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
