select 'no step of a feedback ticket is changed by ' || r.name as what,
  not has_table_privilege(r.name, 'feedback_event', 'update, delete') as ok
from unnest(array['saddle_app', 'saddle_system']) r (name);
