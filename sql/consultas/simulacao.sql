-- What would change, without changing it: dry runs of rebuilds and of parameters.

-- name: fotografar_sem_gravar()#
-- One snapshot for every look, and a server that refuses any write: the first statements of its transaction. As in every
-- writing transaction, plans are made once and without JIT.
set transaction isolation level repeatable read, read only;
set local plan_cache_mode = force_generic_plan;
set local enable_seqscan = off;
set local jit = off;

-- name: fotografar()#
-- The same snapshot where provisional parameters have to be written, and rolled back.
set transaction isolation level repeatable read;
set local plan_cache_mode = force_generic_plan;
set local enable_seqscan = off;
set local jit = off;

-- name: linhas_fora_do_backlog(demandas)
-- Rows outside the order (D16): the only ones that a rebuild may take over from another unit.
select demanda_id, unidade_civica_id
from d5.backlog_items
where demanda_id = any(:demandas::uuid[]) and posicao = 0;

-- name: distribuicoes(unidades)
-- Current level and slots of each unit that has scores: of level 1 to 5, or one figure where no level is current.
select unidade_civica_id, nivel_nao_vencido, array_agg(vagas order by nivel)
from d5_modelos.vagas_por_nivel
where unidade_civica_id = any(:unidades::uuid[])
group by unidade_civica_id, nivel_nao_vencido;
