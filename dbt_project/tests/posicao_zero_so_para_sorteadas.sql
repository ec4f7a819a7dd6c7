-- Position 0 marks a demand drawn outside the backlog (D16): it was assigned, and never becomes available again.
select
    demanda_id,
    posicao,
    status
from {{ source('d5', 'backlog_items') }}
where posicao < 0 or (posicao = 0 and status = 'disponivel')
