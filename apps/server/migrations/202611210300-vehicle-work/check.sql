select 'row level security on ' || relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid in ('task'::regclass, 'screening'::regclass);

select 'all three protocols are known' as what, pg_get_constraintdef(oid) like '%jt808%' as ok
from pg_constraint where conname = 'vehicle_protocol_check';

select 'requests do not read gateways' as what, not has_table_privilege('saddle_app', 'gateway_node', 'select') as ok;
