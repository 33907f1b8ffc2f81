-- What counts for a setting of companies in each company, for statements over vehicles of many: null where nobody has chosen,
-- and otherwise by company, without those that the default counts for. A request does not see what companies above have
-- chosen, so it is read with the rights of the owner; it answers with numbers of the registry alone.
create function chosen_numbers(asked text, lowest integer, highest integer) returns jsonb
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
$$;
revoke execute on function chosen_numbers(text, integer, integer) from public;
grant execute on function chosen_numbers(text, integer, integer) to saddle_app, saddle_system;

create index setting_change_by_code on setting_change (code, agent_id, id desc) where area_id is null;
