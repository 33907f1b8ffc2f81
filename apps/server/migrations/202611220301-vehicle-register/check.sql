select 'a vehicle that has spoken stays' as what, count(*) = 1 as ok
from pg_trigger where tgrelid = 'vehicle'::regclass and tgname = 'vehicle_keep_heard';

select 'what a registration wrote goes with it, and nothing else' as what,
  array_agg(conrelid::regclass::text order by conrelid::regclass::text) = array['device', 'vehicle_event', 'vehicle_status'] as ok
from pg_constraint where contype = 'f' and confrelid = 'vehicle'::regclass and confdeltype = 'c';

select 'models are the platform''s' as what, not has_table_privilege('saddle_app', 'vehicle_model', 'select') as ok;
