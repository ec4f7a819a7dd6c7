with melhores as (
    {{ melhores_do_nivel(ref('vagas_por_nivel'), ref('scores_ativos')) }}
)

select
    unidade_civica_id,
    nivel_nao_vencido,
    demanda_id,
    categoria_id,
    nivel_precedencia,
    score_final,
    coalesce(nivel_precedencia = nivel_nao_vencido, false) as prioritaria
from melhores
