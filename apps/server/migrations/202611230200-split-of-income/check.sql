select 'what was divided is never changed: ' || t.name || ', ' || r.name as what,
  not has_table_privilege(r.name, t.name, 'update, delete, truncate') as ok
from unnest(array['split_terms', 'split_bill', 'split_line']) t (name), unnest(array['saddle_app', 'saddle_system']) r (name);

select 'parts of a line sum to what was paid' as what, convalidated as ok from pg_constraint where conname = 'split_line_sum';
