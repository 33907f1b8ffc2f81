select 'the row policy of settings is forced' as what, relforcerowsecurity as ok
from pg_class where oid = 'setting_change'::regclass;
