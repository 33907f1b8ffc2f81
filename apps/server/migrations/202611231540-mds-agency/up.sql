create table mds_agency (
  jurisdiction_id bigint primary key,
  agent_id bigint not null,
  url text not null check (char_length(url) between 1 and 300),
  -- The token that the city gave; sealed.
  token_sealed text not null,
  state text not null default 'on' check (state in ('on', 'paused')),
  -- Whether the platform paused it, because nothing has arrived for a day.
  is_paused_for_failure boolean not null default false,
  -- Since when nothing has arrived, how often in a row, and how the last attempt ended; null: the last one has arrived.
  failing_since timestamptz,
  failures integer not null default 0 check (failures >= 0),
  fault text check (char_length(fault) <= 200),
  -- It is told again from here on; null: now.
  held_until timestamptz,
  -- One server tells it at a time.
  lease_until timestamptz,
  last_sent_at timestamptz,
  -- Vehicles are compared with what the city knows from here on.
  vehicles_at timestamptz not null,
  -- The hour whose telemetry is sent next, and the vehicle of it that was sent last.
  telemetry_from timestamptz not null,
  telemetry_after bigint not null default 0,
  changed_at timestamptz not null,
  changed_by text not null check (char_length(changed_by) between 1 and 40),
  version integer not null default 1 check (version > 0),
  unique (jurisdiction_id, agent_id),
  foreign key (jurisdiction_id, agent_id) references mds_jurisdiction (id, agent_id),
  check (not is_paused_for_failure or state = 'paused'),
  check ((failing_since is null) = (failures = 0))
);
comment on table mds_agency is 'Where a city takes the records of a jurisdiction (MDS agency), and how far it has been told.';
create index mds_agency_agent on mds_agency (agent_id);
select enable_tenant_rls('mds_agency', false);

create table mds_agency_vehicle (
  jurisdiction_id bigint not null,
  vehicle_id bigint not null references vehicle (id) on delete cascade,
  agent_id bigint not null,
  -- The record that the city was given.
  record jsonb not null check (jsonb_typeof(record) = 'object'),
  told_at timestamptz not null,
  primary key (jurisdiction_id, vehicle_id),
  foreign key (jurisdiction_id, agent_id) references mds_agency (jurisdiction_id, agent_id) on delete cascade
);
comment on table mds_agency_vehicle is 'Vehicles that are registered with a city, as it knows them.';
create index mds_agency_vehicle_vehicle on mds_agency_vehicle (vehicle_id);
create index mds_agency_vehicle_agent on mds_agency_vehicle (agent_id);
select enable_tenant_rls('mds_agency_vehicle', false);

create table mds_push (
  id bigint generated always as identity (start with 1001) primary key,
  jurisdiction_id bigint not null,
  agent_id bigint not null,
  vehicle_id bigint not null,
  kind text not null check (kind in ('event', 'trip')),
  -- The row of `vehicle_event` or `trip`.
  record_id bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  state text not null default 'queued' check (state in ('queued', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  first_tried_at timestamptz,
  -- Null: at once.
  next_at timestamptz,
  fault text check (char_length(fault) <= 200),
  foreign key (jurisdiction_id, agent_id) references mds_agency (jurisdiction_id, agent_id) on delete cascade,
  check (next_at is null or state = 'queued')
);
comment on table mds_push is 'An event or trip that a city has not taken yet, written in the transaction of its cause; it goes when the city has taken it.';
create index mds_push_waiting on mds_push (jurisdiction_id, kind, vehicle_id, id) where state = 'queued';
create index mds_push_failed on mds_push (jurisdiction_id, id desc) where state = 'failed';
create index mds_push_of on mds_push (jurisdiction_id, agent_id);
create index mds_push_old on mds_push (created_at);
select enable_tenant_rls('mds_push', false);

create table mds_agency_day (
  jurisdiction_id bigint not null,
  agent_id bigint not null,
  day date not null,
  kind text not null check (kind in ('vehicle', 'event', 'trip', 'telemetry')),
  sent bigint not null check (sent >= 0),
  refused bigint not null check (refused >= 0),
  primary key (jurisdiction_id, day, kind),
  foreign key (jurisdiction_id, agent_id) references mds_agency (jurisdiction_id, agent_id) on delete cascade
);
comment on table mds_agency_day is 'Records that a city has taken by day, and answers that refused one.';
create index mds_agency_day_agent on mds_agency_day (agent_id);
select enable_tenant_rls('mds_agency_day', false);

-- The database itself writes what cities are told, in the transaction of the cause: whoever changes a thing cannot forget it.
create function tell_cities_of_events() returns trigger language plpgsql as $$
begin
  insert into mds_push (jurisdiction_id, agent_id, vehicle_id, kind, record_id)
  select a.jurisdiction_id, a.agent_id, c.vehicle_id, 'event', c.id
  from changed c join mds_agency a on a.agent_id = c.agent_id
  order by c.id, a.jurisdiction_id;
  return null;
end $$;
create function tell_cities_of_trip() returns trigger language plpgsql as $$
begin
  insert into mds_push (jurisdiction_id, agent_id, vehicle_id, kind, record_id)
  select a.jurisdiction_id, a.agent_id, new.vehicle_id, 'trip', new.trip_id
  from mds_agency a where a.agent_id = new.agent_id
  order by a.jurisdiction_id;
  return null;
end $$;
create trigger cities_event after insert on vehicle_event referencing new table as changed for each statement
  execute function tell_cities_of_events();
create trigger cities_trip after update of charged_cents, trip_id on ride_order for each row
  when (new.charged_cents is not null and new.trip_id is not null and (old.charged_cents is null or old.trip_id is null))
  execute function tell_cities_of_trip();
