select 'every vehicle is a unit of production' as what,
  (select count(*) from vehicle) = (select count(*) from production_unit) as ok;
select 'imports and units are kept apart by tenant' as what, count(*) = 3 as ok
from pg_class where relname in ('vehicle_import', 'vehicle_import_row', 'production_unit') and relforcerowsecurity;
