select
    demanda_id,
    id as ordem,
    unidade_civica_id,
    de,
    para,
    tipo_evento,
    event_id,
    correlacao_id,
    sequence_number,
    ocorreu_em
from {{ source('d5', 'transicoes_status') }}
