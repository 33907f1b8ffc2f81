select 'nobody takes a withdrawal back or changes it: ' || r.name as what,
  not has_table_privilege(r.name, 'price_withdrawal', 'update, delete, truncate') as ok
from unnest(array['saddle_app', 'saddle_system']) r (name);
