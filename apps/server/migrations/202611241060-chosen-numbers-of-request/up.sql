-- To a request it answers for the companies of its scope alone.
create or replace function chosen_numbers(asked text, lowest integer, highest integer) returns jsonb
language sql stable parallel safe security definer set search_path to 'public', 'pg_temp' as $$
  with recursive latest as (
    select distinct on (s.agent_id) s.agent_id, s.value from setting_change s
    where s.code = asked and s.area_id is null order by s.agent_id, s.id desc),
  own as materialized (
    select l.agent_id, (l.value #>> '{}')::numeric as value from latest l
    where jsonb_typeof(l.value) = 'number' and (l.value #>> '{}')::numeric between lowest and highest),
  tree (id, value, depth) as (
    select a.id, o.value, 0 from agent a left join own o on o.agent_id = a.id where a.parent_id is null
    union all
    select a.id, coalesce(o.value, t.value), t.depth + 1 from tree t join agent a on a.parent_id = t.id
    left join own o on o.agent_id = a.id where t.depth < 20)
  select jsonb_object_agg(t.id, t.value) from tree t where t.value is not null and exists (select from own)
    and (current_setting('role') = 'saddle_system' or t.id = any (app_agent_ids()))
$$;
