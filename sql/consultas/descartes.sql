-- Events dropped by rule (D12).

-- name: listar(todas)
-- Discards that nobody has settled, or all of them.
select sequence_number, event_id, tipo, versao_schema, situacao, descartado_em, motivo
from d5.eventos_descartados
where :todas or situacao = 'descartado'
order by sequence_number;

-- name: encerrar(situacao, event_ids)!
-- An operator settles discards: re-driven, or given up for good.
update d5.eventos_descartados
set situacao = :situacao
where situacao = 'descartado' and event_id = any(:event_ids::uuid[]);
