create table vehicle (
  id bigint generated always as identity primary key,
  agent_id bigint not null,
  area_id bigint not null,
  -- Printed on the vehicle and in its QR code: one street has the vehicles of several franchisees, so it is unique
  -- over all of them.
  number text not null unique check (number ~ '^[A-Z0-9]{4,20}$'),
  model text not null check (char_length(model) between 1 and 40),
  protocol text not null check (protocol in ('omni')),
  -- MDS 2.0, micromobility.
  state text not null check (state in
    ('available', 'reserved', 'on_trip', 'non_operational', 'elsewhere', 'removed', 'non_contactable', 'missing')),
  state_changed_at timestamptz not null,
  -- What the vehicle was before it fell silent or was lost; it is that again when it speaks.
  state_before text check (state_before in
    ('available', 'reserved', 'on_trip', 'non_operational', 'elsewhere', 'removed')),
  created_at timestamptz not null,
  foreign key (area_id, agent_id) references service_area (id, agent_id),
  -- For references that carry tenant and area along, so that they move with the vehicle.
  unique (id, agent_id, area_id),
  check ((state in ('non_contactable', 'missing')) or state_before is null)
);
create index vehicle_scope on vehicle (agent_id, area_id, state);
select enable_tenant_rls('vehicle', true);

create table device (
  id bigint generated always as identity primary key,
  vehicle_id bigint not null unique,
  agent_id bigint not null,
  area_id bigint not null,
  imei text not null unique check (imei ~ '^[0-9]{15}$'),
  -- Which dialect of the protocol the firmware speaks.
  profile text not null default 'standard' check (char_length(profile) between 1 and 40),
  -- Omni devices have no secret; others sign in with one.
  secret_hash text,
  firmware text check (char_length(firmware) <= 80),
  foreign key (vehicle_id, agent_id, area_id) references vehicle (id, agent_id, area_id) on update cascade
);
select enable_tenant_rls('device', true);

-- The latest that is known of a vehicle. Written with every report: no index may name a column that a report changes,
-- and pages keep room, so that an update stays within its page (HOT).
create table vehicle_status (
  vehicle_id bigint primary key,
  agent_id bigint not null,
  area_id bigint not null,
  -- Counts every change of the vehicle, so that whoever gets news out of order knows the newer.
  version bigint not null default 1,
  -- WGS-84.
  lat double precision check (lat between -90 and 90),
  lng double precision check (lng between -180 and 180),
  speed_kmh real,
  heading_deg real,
  position_at timestamptz,
  battery_percent real check (battery_percent between 0 and 100),
  voltage_v real,
  locked boolean,
  charging boolean,
  signal integer,
  odometer_m bigint,
  -- The device's time of the facts from the battery to the odometer.
  facts_at timestamptz,
  heard_at timestamptz,
  foreign key (vehicle_id, agent_id, area_id) references vehicle (id, agent_id, area_id) on update cascade,
  check ((lat is null) = (lng is null) and (lat is null) = (position_at is null))
) with (fillfactor = 70);
create index vehicle_status_scope on vehicle_status (agent_id, area_id);
select enable_tenant_rls('vehicle_status', true);

-- What became of a vehicle, in the words of MDS. Never changed: tenant and area are those of the day it happened.
create table vehicle_event (
  id bigint generated always as identity primary key,
  vehicle_id bigint not null references vehicle (id),
  agent_id bigint not null,
  area_id bigint not null,
  event text not null check (event ~ '^[a-z_]{3,40}$'),
  from_state text not null,
  to_state text not null,
  cause text not null check (cause in ('device', 'clock', 'operator', 'registration')),
  occurred_at timestamptz not null,
  recorded_at timestamptz not null
);
create index vehicle_event_vehicle on vehicle_event (vehicle_id, id desc);
select enable_tenant_rls('vehicle_event', true);
revoke update, delete, truncate on vehicle_event from saddle_app, saddle_system;

create table vehicle_alarm (
  id bigint generated always as identity primary key,
  vehicle_id bigint not null references vehicle (id),
  agent_id bigint not null,
  area_id bigint not null,
  kind text not null check (kind ~ '^[a-z0-9_]{3,40}$'),
  opened_at timestamptz not null,
  -- A device repeats an alarm: the open one counts instead of a second one being opened.
  last_at timestamptz not null,
  times integer not null default 1,
  closed_at timestamptz
);
create unique index vehicle_alarm_open on vehicle_alarm (vehicle_id, kind) where closed_at is null;
create index vehicle_alarm_scope on vehicle_alarm (agent_id, area_id) where closed_at is null;
select enable_tenant_rls('vehicle_alarm', true);

create table vehicle_command (
  id bigint generated always as identity primary key,
  vehicle_id bigint not null references vehicle (id),
  agent_id bigint not null,
  area_id bigint not null,
  kind text not null check (kind in ('unlock', 'lock')),
  state text not null check (state in ('queued', 'sent', 'acknowledged', 'confirmed', 'expired', 'failed')),
  reason text not null check (char_length(reason) <= 200),
  failure text check (char_length(failure) <= 200),
  operator_id bigint not null,
  -- As it was then: operators are renamed and leave.
  operator_name text not null,
  queued_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  acknowledged_at timestamptz,
  finished_at timestamptz,
  check ((state in ('confirmed', 'expired', 'failed')) = (finished_at is not null)),
  check ((state in ('expired', 'failed')) = (failure is not null))
);
create unique index vehicle_command_pending on vehicle_command (vehicle_id, kind)
  where state in ('queued', 'sent', 'acknowledged');
create index vehicle_command_due on vehicle_command (expires_at) where state in ('queued', 'sent', 'acknowledged');
create index vehicle_command_vehicle on vehicle_command (vehicle_id, id desc);
select enable_tenant_rls('vehicle_command', true);
