-- The condition is on the stored status, as in the partial indexes.
{{
    linhas_da_agenda(
        source('d5', 'backlog_items'), source('d5', 'coordenadas_demanda'), source('d5', 'demandas_agregadas')
    )
}}
where i.status <> 'agregado'
