-- Versions of the parameters (4.3): loaded once, never changed, the highest id is the current one.

-- name: inserir_versao(intervencao, versao, fator, limiar, capacidade, concluidas, raio, min_pontos)$
-- A new version, with the intervention that loads it; returns its id.
insert into d5.param_versions (
    intervencao_id, versao, fator_decaimento, limiar_peso_nao_vencido, capacidade_padrao, concluidas_ocupam_vaga,
    raio_metros, min_pontos
)
values (:intervencao, :versao, :fator, :limiar, :capacidade, :concluidas, :raio, :min_pontos)
returning id;

-- name: inserir_versao_provisoria(id, versao, fator, limiar, capacidade, concluidas, raio, min_pontos)!
-- A version that is rolled back, under an id of its own: the sequence is not asked for a number.
insert into d5.param_versions (
    id, versao, fator_decaimento, limiar_peso_nao_vencido, capacidade_padrao, concluidas_ocupam_vaga, raio_metros, min_pontos
)
overriding system value
values (:id, :versao, :fator, :limiar, :capacidade, :concluidas, :raio, :min_pontos);

-- name: inserir_capacidades(id, unidades, capacidades)!
-- Capacity of each unit that has its own.
insert into d5.param_capacidade_por_uc (param_id, unidade_civica_id, capacidade)
select :id, * from unnest(:unidades::uuid[], :capacidades::int[]);

-- name: inserir_pesos(id, unidades, niveis, pesos)!
-- Situational weight of each unit and level.
insert into d5.param_pesos_situacionais (param_id, unidade_civica_id, nivel_precedencia, peso)
select :id, * from unnest(:unidades::uuid[], :niveis::int[], :pesos::float8[]);

-- name: vigente()$
-- Id of the current version, if there is one.
select max(id) from d5.param_versions;

-- name: versao(id)^
-- A version without its tables by unit.
select
    versao, fator_decaimento, limiar_peso_nao_vencido, capacidade_padrao, concluidas_ocupam_vaga, raio_metros, min_pontos
from d5.param_versions
where id = :id;

-- name: ids()
-- Every version, newest first.
select id, versao from d5.param_versions order by id desc;

-- name: historico()
-- Every version with who loaded it and why, oldest first; units with capacity or weights of their own.
select
    v.id, v.versao, v.carregado_em, i.quem, i.por_que,
    (select count(*) from d5.param_capacidade_por_uc as c where c.param_id = v.id),
    (select count(distinct w.unidade_civica_id) from d5.param_pesos_situacionais as w where w.param_id = v.id),
    v.id = max(v.id) over ()
from d5.param_versions as v
left join d5.intervencoes as i on i.id = v.intervencao_id
order by v.id;

-- name: capacidades(id)
-- Own capacities of a version.
select unidade_civica_id, capacidade from d5.param_capacidade_por_uc where param_id = :id order by 1;

-- name: pesos(id)
-- Weights of a version.
select unidade_civica_id, nivel_precedencia, peso from d5.param_pesos_situacionais where param_id = :id order by 1, 2;

-- name: unidades_conhecidas()$
-- How many units the next rebuilds may concern.
select count(*) from d5.unidades_civicas;
