-- Holes in the log, as judged (D3).

-- name: lacunas_abertas()
-- Holes that are being waited for, with the transactions that may still fill them.
select inicio, fim, portadores, vista_em from d5.lacunas where situacao = 'aberta' order by inicio;

-- name: esquecer_lacunas_abertas()!
-- Open holes are written anew at every look.
delete from d5.lacunas where situacao = 'aberta';

-- name: gravar_lacunas(inicios, fins, situacoes, portadores, vistas)!
-- Holes as judged now; an open one keeps the time it was first seen.
insert into d5.lacunas (inicio, fim, situacao, portadores, vista_em, passada_em)
select l.inicio, l.fim, l.situacao, l.portadores, coalesce(l.vista_em, now()), case l.situacao when 'passada' then now() end
from unnest(:inicios::bigint[], :fins::bigint[], :situacoes::text[], :portadores::jsonb[], :vistas::timestamptz[])
    as l (inicio, fim, situacao, portadores, vista_em)
on conflict (inicio) do update
set fim = excluded.fim, situacao = excluded.situacao, portadores = excluded.portadores, passada_em = excluded.passada_em;
