select 'no role deletes ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'delete') and not has_table_privilege('saddle_system', t.name, 'delete') as ok
from unnest(array['segment', 'segment_version']) t (name);

select 'conditions of a version stay as they were' as what,
  not has_table_privilege('saddle_app', 'segment_version', 'update')
    and not has_table_privilege('saddle_system', 'segment_version', 'update') as ok;
