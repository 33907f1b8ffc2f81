-- The agent itself and everything below it. `union` and not `union all`: a ring in the tree must not run for ever.
create function agent_and_below(root bigint) returns setof bigint language sql stable
begin atomic
  with recursive below (id) as (
    select agent.id from agent where agent.id = root
    union
    select agent.id from agent join below on agent.parent_id = below.id
  )
  select below.id from below order by 1;
end;
