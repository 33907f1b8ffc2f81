-- Keeps so many ids of a table free for rows of the past and returns the first of them. Lists are read in the order of
-- ids: what happens from now on must come after what is read in afterwards.
create function reserve_history_ids(target text, amount bigint) returns bigint
language plpgsql
as $$
declare
  -- Whoever takes an id between the two statements below stays in front of the block.
  margin constant bigint := 1000;
  id_sequence text;
  first bigint;
begin
  if target not in ('trip', 'task', 'vehicle_event', 'vehicle_alarm') or amount not between 0 and 100000000 then
    raise exception 'no ids are kept free for this';
  end if;
  id_sequence := pg_get_serial_sequence('public.' || target, 'id');
  first := nextval(id_sequence) + margin;
  perform setval(id_sequence, first + amount);
  return first;
end
$$;
revoke execute on function reserve_history_ids(text, bigint) from public, saddle_app;

-- Moving a sequence forward is all that the import may do to it.
do $$
begin
  execute format('grant usage, update on sequence %s, %s, %s, %s to saddle_system',
    pg_get_serial_sequence('public.trip', 'id'), pg_get_serial_sequence('public.task', 'id'),
    pg_get_serial_sequence('public.vehicle_event', 'id'), pg_get_serial_sequence('public.vehicle_alarm', 'id'));
end
$$;
