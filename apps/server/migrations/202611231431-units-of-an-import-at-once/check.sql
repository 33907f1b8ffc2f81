select 'units of an import are made with their numbers' as what, prosrc like '%app.import_id%' as ok
from pg_proc where proname = 'add_production_units';
