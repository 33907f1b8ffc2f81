select 'no role deletes ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'delete') and not has_table_privilege('saddle_system', t.name, 'delete') as ok
from unnest(array['activity', 'activity_version', 'activity_rider', 'activity_use']) t (name);

select 'what a version says stays as it was' as what,
  not has_table_privilege('saddle_app', 'activity_version', 'update')
    and not has_table_privilege('saddle_system', 'activity_version', 'update') as ok;

select 'a cause uses an activity once' as what, indisunique as ok from pg_index
where indexrelid = 'activity_use_once'::regclass;

select 'no budget is overspent: ' || conname as what, convalidated as ok
from pg_constraint where conname in ('activity_cents_budget', 'activity_uses_budget', 'activity_dry');
