select 'what was settled or sealed is never changed: ' || t.name || ', ' || r.name as what,
  not has_table_privilege(r.name, t.name, 'update, delete, truncate') as ok
from unnest(array['split_party', 'split_reserve', 'split_settlement', 'split_statement']) t (name),
  unnest(array['saddle_app', 'saddle_system']) r (name);

select 'parts of a settlement and of a statement sum to the whole' as what, bool_and(convalidated) and count(*) = 2 as ok
from pg_constraint where conname in ('split_settlement_sum', 'split_statement_sum');
