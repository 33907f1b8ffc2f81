select 'events are only appended by ' || rolname as what,
  has_table_privilege(rolname, 'vehicle_event', 'insert')
    and not has_table_privilege(rolname, 'vehicle_event', 'update, delete, truncate') as ok
from pg_roles where rolname in ('saddle_app', 'saddle_system');

select 'the owner does not change events either' as what, count(*) = 1 as ok
from pg_trigger where tgname = 'vehicle_event_append_only' and tgenabled = 'O';

select 'a vehicle that has spoken stays' as what, count(*) = 1 as ok
from pg_trigger where tgrelid = 'vehicle'::regclass and tgname = 'vehicle_keep_heard' and tgenabled = 'O';

select 'MDS 2.0 has 85 transitions' as what,
  (length(definition) - length(replace(definition, '''::text', ''''))) / length('::text') >= 85 as ok
from (select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'vehicle_event_transition') c;

select 'what a registration wrote goes with it, and nothing else' as what,
  array_agg(conrelid::regclass::text order by conrelid::regclass::text) = array['device', 'vehicle_event', 'vehicle_status'] as ok
from pg_constraint where contype = 'f' and confrelid = 'vehicle'::regclass and confdeltype = 'c';

select 'status updates can stay in their page' as what, reloptions @> array['fillfactor=70'] as ok
from pg_class where oid = 'vehicle_status'::regclass;

select 'the policy of ' || tablename || ' for requests' as what,
  (qual like '%unnest(app_area_ids())%') = (tablename in ('vehicle', 'vehicle_status'))
    and qual like '%agent_id = ANY%' and qual like '%area_id = ANY%' and with_check = qual and roles = '{saddle_app}' as ok
from pg_policies
where policyname = 'tenant' and tablename in ('vehicle', 'vehicle_status', 'device', 'vehicle_alarm', 'task');

select 'models are the platform''s' as what, not has_table_privilege('saddle_app', 'vehicle_model', 'select') as ok;

select 'figures of days are written by the platform alone' as what,
  not has_table_privilege('saddle_app', 'fleet_day', 'insert, update, delete, truncate') as ok;
