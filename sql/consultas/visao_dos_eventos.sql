-- The view from which consumed events are read.

-- name: criar_visao_dos_eventos()#
-- Events with, of a payload that is not small, only what handlers use: a huge or deep rest never leaves the server (D13).
create or replace view d5.eventos_consumidos with (security_invoker = true) as
select
    l.sequence_number,
    l.event_id,
    l.tipo,
    l.versao_schema,
    l.correlacao_id,
    l.criado_em,
    case
        when pg_column_size(l.payload) <= 2000 and pg_column_compression(l.payload) is null then l.payload
        when l.tipo = 'demanda.ranqueada' then jsonb_build_object(
            'demanda_id', l.payload -> 'demanda_id',
            'unidade_civica_id', l.payload -> 'unidade_civica_id',
            'categoria_id', l.payload -> 'categoria_id',
            'nivel_precedencia', l.payload -> 'nivel_precedencia',
            'score_final', l.payload -> 'score_final',
            'breakdown', jsonb_build_object(
                'peso_nacional', l.payload #> '{breakdown,peso_nacional}',
                'peso_situacional', l.payload #> '{breakdown,peso_situacional}',
                'score_horizontal', l.payload #> '{breakdown,score_horizontal}'
            ),
            'posicao_no_ranking', l.payload -> 'posicao_no_ranking',
            'versao_parametros', l.payload -> 'versao_parametros'
        )
        else jsonb_build_object(
            'demanda_id', l.payload -> 'demanda_id',
            'unidade_civica_id', l.payload -> 'unidade_civica_id',
            'data_conclusao', l.payload -> 'data_conclusao',
            'dias_ate_conclusao', l.payload -> 'dias_ate_conclusao',
            'ratificacao_necessaria', l.payload -> 'ratificacao_necessaria',
            'agregado_id', l.payload -> 'agregado_id',
            'representante_demanda_id', l.payload -> 'representante_demanda_id',
            'membros', l.payload -> 'membros',
            'coordenadas_lat', l.payload -> 'coordenadas_lat',
            'coordenadas_lng', l.payload -> 'coordenadas_lng'
        )
    end::text as payload
from d5.event_log as l;
