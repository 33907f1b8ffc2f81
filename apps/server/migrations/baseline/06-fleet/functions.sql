-- Events are appended and never changed, not even by the owner of the table. They go with a vehicle that goes.
create trigger vehicle_event_append_only before update or truncate on vehicle_event
  for each statement execute function refuse_change();
create function keep_vehicle_event() returns trigger language plpgsql as $$
begin
  if exists (select from vehicle v where v.id = old.vehicle_id) then
    raise exception 'vehicle_event is append-only' using errcode = 'insufficient_privilege';
  end if;
  return old;
end
$$;
create trigger vehicle_event_goes_with_vehicle before delete on vehicle_event
  for each row execute function keep_vehicle_event();

-- One that has spoken has a past, and stays.
create function keep_heard_vehicle() returns trigger language plpgsql as $$
begin
  if exists (select from vehicle_status s where s.vehicle_id = old.id and s.heard_at is not null) then
    raise foreign_key_violation using message = 'a vehicle that has spoken stays on the register';
  end if;
  return old;
end
$$;
create trigger vehicle_keep_heard before delete on vehicle for each row execute function keep_heard_vehicle();
