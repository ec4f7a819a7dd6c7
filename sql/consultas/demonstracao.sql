-- name: ler_eventos(tipos, acima_de)
-- Events of some types above a position, in the order of the log: all that a neighbour of D-5 reads.
select sequence_number, event_id::text as event_id, tipo, correlacao_id::text as correlacao_id, payload
from core.event_log
where tipo = any(:tipos) and sequence_number > :acima_de
order by sequence_number;

-- name: acrescentar_eventos(event_id, tipo, versao_schema, origem, correlacao_id, payload, criado_em)*!
-- Appends an event unless its event_id is there; ON CONFLICT would burn a sequence number and leave a hole in the log.
insert into core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload, criado_em)
select :event_id::uuid, :tipo, :versao_schema, :origem, :correlacao_id::uuid, :payload, :criado_em
where not exists (select from core.event_log where event_id = :event_id::uuid);

-- name: tem_eventos_alheios(demandas)$
-- Whether the log holds events of demands that are not the demonstration's: then it is no place for it.
select exists (
    select
    from core.event_log
    where origem <> 'D-5'
        and tipo not in ('ranking.atualizado', 'duplicidade.agregada')
        and coalesce(payload ->> 'demanda_id', '') <> all(:demandas::text[])
);

-- name: tem_demanda(demanda_id)$
-- Whether the neighbours got as far as ranking this demand.
select exists (
    select from core.event_log where tipo = 'demanda.ranqueada' and payload ->> 'demanda_id' = :demanda_id
);
