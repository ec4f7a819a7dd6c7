select
    id as param_id,
    versao,
    fator_decaimento,
    limiar_peso_nao_vencido,
    capacidade_padrao,
    concluidas_ocupam_vaga,
    raio_metros,
    min_pontos
from {{ source('d5', 'param_versions') }}
order by id desc
limit 1
