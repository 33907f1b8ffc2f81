select 'row level security on unknown_device' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid = 'unknown_device'::regclass;

select 'every unknown device belongs to a company' as what, count(*) = 0 as ok
from unknown_device where agent_id is null;

select 'devices have a registration window and a generation of their secret' as what, count(*) = 2 as ok
from information_schema.columns
where table_name = 'device' and column_name in ('registration_open_until', 'secret_generation');

select 'no secret is kept with a device' as what, count(*) = 0 as ok
from information_schema.columns where table_name = 'device' and column_name = 'secret_hash';

select 'a plate belongs to one vehicle' as what, count(*) = 1 as ok
from pg_indexes where tablename = 'vehicle' and indexdef like '%UNIQUE%(plate)%';
