select 'requests only read objections: ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'insert, update, delete, truncate') as ok
from unnest(array['objection', 'objection_line', 'objection_event']) t (name);
