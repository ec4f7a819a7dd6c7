-- The transitions that 4.5 forbids; agregado and removido are final.
select *
from {{ source('d5', 'transicoes_status') }}
where (de = 'concluido' and para in ('disponivel', 'em_progresso'))
    or (de = 'em_progresso' and para = 'disponivel')
    or (de in ('agregado', 'removido') and para <> de)
