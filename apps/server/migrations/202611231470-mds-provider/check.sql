select 'the row policy of ' || relname || ' is forced' as what, relforcerowsecurity as ok
from pg_class
where oid in ('mds_provider'::regclass, 'mds_jurisdiction'::regclass, 'mds_client'::regclass, 'mds_client_day'::regclass);

select 'events are found by their time' as what, count(*) = 1 as ok
from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid = 'vehicle_event'::regclass and c.relname = 'vehicle_event_occurred';
