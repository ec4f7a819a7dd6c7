-- The rebuild of a wave's units (4.1).

-- name: selecionadas(unidades)
-- The model's answer: the selected demands of the units, in order.
select
    unidade_civica_id, demanda_id, posicao, score_final, categoria_id, nivel_precedencia, prioritaria, lat, lng
from d5_modelos.backlog_ordenado
where unidade_civica_id = any(:unidades::uuid[]);

-- name: niveis(unidades)
-- The current level of each unit that has scores.
select unidade_civica_id, nivel_nao_vencido
from d5_modelos.nivel_nao_vencido
where unidade_civica_id = any(:unidades::uuid[]);

-- name: parametros()^
-- What a rebuild needs of the current parameters outside the models.
select versao, raio_metros, min_pontos from d5.param_versions order by id desc limit 1;
