-- The units this database knows.

-- name: conhecidas()
-- Units that have had a score or a row, in order.
select unidade_civica_id from d5.unidades_civicas order by 1;

-- name: existentes(unidades)
-- Which of the given units are known.
select unidade_civica_id from d5.unidades_civicas where unidade_civica_id = any(:unidades::uuid[]);
