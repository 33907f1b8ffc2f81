select 'row level security on fence' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid = 'fence'::regclass;
