-- A vehicle that was registered by mistake is taken off the register again, with what the registration itself wrote.
-- Everything else that names a vehicle still keeps it.
alter table device drop constraint device_vehicle_id_agent_id_area_id_fkey;
alter table device add foreign key (vehicle_id, agent_id, area_id) references vehicle (id, agent_id, area_id)
  on update cascade on delete cascade;
alter table vehicle_status drop constraint vehicle_status_vehicle_id_agent_id_area_id_fkey;
alter table vehicle_status add foreign key (vehicle_id, agent_id, area_id) references vehicle (id, agent_id, area_id)
  on update cascade on delete cascade;
alter table vehicle_event drop constraint vehicle_event_vehicle_id_fkey;
alter table vehicle_event add foreign key (vehicle_id) references vehicle (id) on delete cascade;
-- Events stay append-only, but for those that go with their vehicle: a single one is never deleted.
drop trigger vehicle_event_append_only on vehicle_event;
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

-- When a refused sign-in of a registered device was last written into the log of devices: once an hour is enough.
alter table unknown_device add column told_at timestamptz;

-- How devices of a model speak, where it is not the usual way. The platform's, for every company: a model is its maker's.
create table vehicle_model (
  name text primary key check (char_length(name) between 1 and 40),
  protocol text not null check (protocol in ('omni', 'jt808', 'mqtt')),
  profile jsonb not null check (jsonb_typeof(profile) = 'object' and length(profile::text) <= 8000),
  version integer not null default 1 check (version > 0),
  changed_at timestamptz not null,
  changed_by bigint not null,
  changed_by_name text not null
);
revoke all on vehicle_model from saddle_app;
create index vehicle_model_of on vehicle (model, protocol);
