-- The same rule as a check: a look into a list where a foreign key was a query for each of a month's events.
do $$
declare
  steps text[];
begin
  select array_agg(event || ' ' || from_state || ' ' || to_state order by event, from_state, to_state)
  into steps from vehicle_transition;
  alter table vehicle_event drop constraint vehicle_event_transition;
  execute format(
    'alter table vehicle_event add constraint vehicle_event_transition
      check (event || '' '' || from_state || '' '' || to_state = any (%L::text[])) not valid',
    steps);
end
$$;
drop table vehicle_transition;
