select 'no role deletes ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'delete') and not has_table_privilege('saddle_system', t.name, 'delete') as ok
from unnest(array['ad_placement', 'ad_version', 'ad_day', 'ad_total']) t (name);

select 'a version stays as it was written' as what,
  not has_table_privilege('saddle_app', 'ad_version', 'update')
    and not has_table_privilege('saddle_system', 'ad_version', 'update') as ok;

select 'only jobs remove ids of events' as what,
  not has_table_privilege('saddle_app', 'ad_event', 'delete') and has_table_privilege('saddle_system', 'ad_event', 'delete') as ok;
