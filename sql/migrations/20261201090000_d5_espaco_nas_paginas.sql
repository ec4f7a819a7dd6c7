-- Rows that every rebuild writes again find room in their own page: an update that changes no indexed column touches no index.
ALTER TABLE d5.backlog_items SET (fillfactor = 60);
ALTER TABLE d5.situacao_demandas SET (fillfactor = 80);
ALTER TABLE d5.anuncios_por_uc SET (fillfactor = 60);
