select
    tipo_evento,
    aplicado_ate,
    last_sequence as publicado_ate
from {{ source('d5', 'consumer_offset') }}
