-- Why an operator intervened, and which intervention loaded a version of the parameters (D32).
ALTER TABLE d5.intervencoes ADD COLUMN por_que TEXT;
ALTER TABLE d5.param_versions ADD COLUMN intervencao_id UUID;

-- Every load so far recorded one intervention, in the same order.
UPDATE d5.param_versions AS v
SET intervencao_id = i.id
FROM (SELECT id, versao, row_number() OVER (ORDER BY id) AS vez FROM d5.param_versions) AS n
JOIN (
    SELECT id, argumentos ->> 'versao' AS versao, row_number() OVER (ORDER BY ordem) AS vez
    FROM d5.intervencoes
    WHERE tipo = 'parametros'
) AS i ON i.vez = n.vez AND i.versao = n.versao
WHERE n.id = v.id;
