-- Open data: the public agenda as a stream.

-- name: agenda(uc, nivel, categoria, status, oeste, sul, leste, norte)
-- Rows of {visao} in the order of its pages, in the order of exportacao.COLUNAS; a filter that is null does not filter.
select
    unidade_civica_id, posicao, demanda_id, score, nivel_precedencia, categoria_id, status, grupo_id, entrou_em,
    atualizado_em, data_conclusao, dias_ate_conclusao, lat, lng, membros_agregados
from {visao}
where (:uc::uuid is null or unidade_civica_id = :uc::uuid)
    and (:nivel::int is null or nivel_precedencia = :nivel::int)
    and (:categoria::text is null or categoria_id = :categoria::text)
    and (:status::text is null or status = :status::text)
    and (
        :oeste::float8 is null
        or (lat between :sul::float8 and :norte::float8 and lng between :oeste::float8 and :leste::float8)
    )
order by unidade_civica_id, posicao, demanda_id;
