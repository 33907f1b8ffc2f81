select 'row level security on device_config' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid = 'device_config'::regclass;

select 'devices are held with a reason' as what, count(*) = 1 as ok
from information_schema.columns where table_name = 'unknown_device' and column_name = 'reason' and is_nullable = 'NO';

select 'a terminal number belongs to one device' as what, count(*) = 1 as ok
from pg_indexes where tablename = 'device' and indexdef like '%UNIQUE%(terminal_number)%';
