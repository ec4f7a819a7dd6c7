-- Versions of the parameters (4.3): loaded once, never changed, the highest id is the current one.

-- name: inserir_versao(versao, fator, limiar, capacidade, concluidas, raio, min_pontos)$
-- A new version; returns its id.
insert into d5.param_versions (
    versao, fator_decaimento, limiar_peso_nao_vencido, capacidade_padrao, concluidas_ocupam_vaga, raio_metros, min_pontos
)
values (:versao, :fator, :limiar, :capacidade, :concluidas, :raio, :min_pontos)
returning id;

-- name: inserir_capacidades(id, unidades, capacidades)!
-- Capacity of each unit that has its own.
insert into d5.param_capacidade_por_uc (param_id, unidade_civica_id, capacidade)
select :id, * from unnest(:unidades::uuid[], :capacidades::int[]);

-- name: inserir_pesos(id, unidades, niveis, pesos)!
-- Situational weight of each unit and level.
insert into d5.param_pesos_situacionais (param_id, unidade_civica_id, nivel_precedencia, peso)
select :id, * from unnest(:unidades::uuid[], :niveis::int[], :pesos::float8[]);

-- name: vigente()^
-- The current version, if there is one.
select
    id, versao, fator_decaimento, limiar_peso_nao_vencido, capacidade_padrao, concluidas_ocupam_vaga, raio_metros, min_pontos
from d5.param_versions
order by id desc
limit 1;

-- name: capacidades(id)
-- Own capacities of a version.
select unidade_civica_id, capacidade from d5.param_capacidade_por_uc where param_id = :id order by 1;

-- name: pesos(id)
-- Weights of a version.
select unidade_civica_id, nivel_precedencia, peso from d5.param_pesos_situacionais where param_id = :id order by 1, 2;

-- name: unidades_conhecidas()$
-- How many units the next rebuilds may concern.
select count(*) from d5.unidades_civicas;

-- name: registrar_intervencao(id, tipo, quem, quando, argumentos)!
-- What an operator did beside the log, and how far the log was applied at that moment (D32).
insert into d5.intervencoes (id, tipo, quem, quando, aplicado_ate, argumentos)
select :id::uuid, :tipo, :quem, :quando::timestamptz, coalesce(max(aplicado_ate), 0), :argumentos::jsonb
from d5.consumer_offset;

-- name: intervencoes()
-- Every intervention, in the order in which they took effect.
select id, tipo, quando, aplicado_ate, argumentos from d5.intervencoes order by ordem;
