select 'periods of statements are appended only: ' || r.name as what,
  not has_table_privilege(r.name, 'split_statement_period', 'update, delete, truncate') as ok
from unnest(array['saddle_app', 'saddle_system']) r (name);

select 'whoever has statements has a period' as what, not exists (
  select from split_statement s where not exists (select from split_statement_period p where p.agent_id = s.agent_id)
) as ok;
