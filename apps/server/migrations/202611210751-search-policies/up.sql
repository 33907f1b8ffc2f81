-- A look-up by key pays for every sub-plan of a policy, used or not. Lists read only vehicles and their status by the
-- hundred thousand: these two keep the hashed way, behind one cheap question for all; the others go back to the array.
do $$
declare
  few text := 'agent_id = any ((select app_agent_ids())::bigint[]) and area_id = any ((select app_area_ids())::bigint[])';
  many text := 'agent_id in (select unnest(app_agent_ids())) and area_id in (select unnest(app_area_ids()))';
  -- A hundred characters are some twenty ids.
  is_many text := '(select length(current_setting(''app.agent_ids'', true)) + length(current_setting(''app.area_ids'', true)) > 100)';
  visible text := format('case when %s then %s else %s end', is_many, many, few);
  name text;
begin
  foreach name in array array['vehicle', 'vehicle_status'] loop
    execute format('alter policy tenant on %I using (%s) with check (%s)', name, visible, visible);
  end loop;
  foreach name in array array['device', 'vehicle_alarm', 'task'] loop
    execute format('alter policy tenant on %I using (%s) with check (%s)', name, few, few);
  end loop;
end
$$;
