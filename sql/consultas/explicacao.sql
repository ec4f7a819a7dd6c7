-- Why a demand is where it is: the reading views' answer, and what the log still holds of it. Read only.

-- name: fotografar()#
-- Every statement of the transaction sees one moment, and none may write; JIT would cost more than it saves.
set transaction isolation level repeatable read, read only;
set local jit = off;

-- name: fatos(demanda)^
-- The row of one demand, in the order of explicacao.Fatos.
select
    demanda_id, unidade_civica_id, unidade_da_linha, posicao, score_da_linha, status_da_linha, grupo_id, evento_da_linha,
    entrou_em, score_final, nivel_precedencia, categoria_id, posicao_ranking, evento_do_score, sequencia_do_score,
    status_recordado, data_conclusao, dias_ate_conclusao, agregado_id, representante_demanda_id, agregado_em, anunciado_em,
    selecionavel, capacidade, nivel_nao_vencido, vagas, na_agenda, candidatas, usadas, ultima_dentro,
    score_da_ultima_dentro, primeira_fora, score_da_primeira_fora, lugar_no_nivel, posicao_no_rebuild
from d5_leitura.explicacao_demandas
where demanda_id = :demanda::uuid;

-- name: historico(demanda)
-- Its transitions, in order.
select ordem, de, para, tipo_evento, event_id, correlacao_id, sequence_number, ocorreu_em
from d5_leitura.historico_demandas
where demanda_id = :demanda::uuid
order by ordem;

-- name: companheiras(grupo, demanda)
-- The others of its group, in order.
select posicao, demanda_id
from d5_leitura.agenda_publica
where grupo_id = :grupo::uuid and demanda_id <> :demanda::uuid
order by posicao, demanda_id;

-- name: representadas(demanda)$
-- How many demands it answers for.
select count(*) from d5_leitura.agregados where representante_demanda_id = :demanda::uuid;

-- name: aplicado_ate()$
-- How far the log was applied, for the type that lags most.
select min(aplicado_ate) from d5_leitura.posicoes_do_log;

-- name: unidade(unidade)^
-- The unit, if it is known.
select unidade_civica_id, capacidade, nivel_nao_vencido, itens, disponiveis
from d5_leitura.unidades
where unidade_civica_id = :unidade::uuid;

-- name: niveis(unidade)
-- Slots and cut of each of its levels.
select
    nivel, vagas, na_agenda, candidatas, usadas,
    ultima_dentro, score_da_ultima_dentro, primeira_fora, score_da_primeira_fora
from d5_leitura.cortes_por_nivel
where unidade_civica_id = :unidade::uuid
order by nivel;

-- name: agenda_e_rebuild(unidade)
-- Its agenda now and after a rebuild; the order of the queue first (D9), then who would enter.
select demanda_id, posicao_atual, posicao_no_rebuild, nivel_precedencia, score_final, status, efeito
from d5_leitura.proximo_rebuild
where unidade_civica_id = :unidade::uuid
order by posicao_atual nulls last, case when posicao_atual is null then posicao_no_rebuild end, score_final desc, demanda_id;
