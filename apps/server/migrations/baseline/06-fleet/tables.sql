create table vehicle (
  id bigint generated always as identity primary key,
  agent_id bigint not null,
  area_id bigint not null,
  -- Printed on the vehicle and in its QR code: one street has the vehicles of several franchisees, so it is unique
  -- over all of them.
  number text not null unique check (number ~ '^[A-Z0-9]{4,20}$'),
  model text not null check (char_length(model) between 1 and 40),
  protocol text not null check (protocol in ('omni', 'jt808', 'mqtt')),
  -- MDS 2.0, micromobility.
  state text not null check (state in
    ('available', 'reserved', 'on_trip', 'non_operational', 'elsewhere', 'removed', 'non_contactable', 'missing')),
  state_changed_at timestamptz not null,
  -- What the vehicle was before it fell silent or was lost; it is that again when it speaks.
  state_before text check (state_before in
    ('available', 'reserved', 'on_trip', 'non_operational', 'elsewhere', 'removed')),
  created_at timestamptz not null,
  -- When somebody last began or ended a ride: how long a vehicle stands idle is counted from here.
  last_ride_at timestamptz,
  -- People read the last digits off a plate: the start of the number read backwards. `right(number, 4)` could not be looked
  -- for behind row level security, because nobody vouches that the function tells nothing of rows that are not shown;
  -- comparisons in byte order do.
  number_backwards text not null generated always as (reverse(number)) stored,
  -- What a JT/T 808 terminal names when it registers. Written without spaces, in capitals.
  plate text check (plate ~ '^[^[:space:]]{1,20}$'),
  foreign key (area_id, agent_id) references service_area (id, agent_id),
  -- For references that carry tenant and area along, so that they move with the vehicle.
  unique (id, agent_id, area_id),
  check ((state in ('non_contactable', 'missing')) or state_before is null)
);
comment on table vehicle is 'Shared bike or scooter.';
create index vehicle_scope on vehicle (agent_id, area_id, state);
create index vehicle_area on vehicle (area_id);
-- Starts and ends of numbers, starts of IMEIs. Plain byte order: its comparisons are leakproof, so that the index serves
-- queries behind row level security too, which an index for LIKE does not.
create index vehicle_number_start on vehicle (number collate "C");
create index vehicle_number_end on vehicle (number_backwards collate "C");
create unique index vehicle_plate on vehicle (plate) where plate is not null;
create index vehicle_model_of on vehicle (model, protocol);
select enable_tenant_rls('vehicle', true);
-- Lists read these two by the hundred thousand. `= any (array)` goes through the array for each row, which is slow for
-- somebody who sees hundreds of areas; a sub-select is hashed once, which is slower for a look-up by key. One cheap question
-- decides: a hundred characters are some twenty ids.
alter policy tenant on vehicle
  using (case when (select length(current_setting('app.agent_ids', true)) + length(current_setting('app.area_ids', true)) > 100)
    then agent_id in (select unnest(app_agent_ids())) and area_id in (select unnest(app_area_ids()))
    else agent_id = any ((select app_agent_ids())::bigint[]) and area_id = any ((select app_area_ids())::bigint[]) end)
  with check (case when (select length(current_setting('app.agent_ids', true)) + length(current_setting('app.area_ids', true)) > 100)
    then agent_id in (select unnest(app_agent_ids())) and area_id in (select unnest(app_area_ids()))
    else agent_id = any ((select app_agent_ids())::bigint[]) and area_id = any ((select app_area_ids())::bigint[]) end);

create table vehicle_model (
  name text not null check (char_length(name) between 1 and 40),
  protocol text not null check (protocol in ('omni', 'jt808', 'mqtt')),
  profile jsonb not null check (jsonb_typeof(profile) = 'object' and length(profile::text) <= 8000),
  version integer not null default 1 check (version > 0),
  changed_at timestamptz not null,
  changed_by bigint not null,
  changed_by_name text not null,
  primary key (name, protocol)
);
comment on table vehicle_model is 'How devices of a model and protocol behave where they differ from the standard.';
revoke all on vehicle_model from saddle_app;

create table device (
  id bigint generated always as identity primary key,
  vehicle_id bigint not null unique,
  agent_id bigint not null,
  area_id bigint not null,
  imei text not null unique check (imei ~ '^[0-9]{15}$'),
  -- Which dialect of the protocol the firmware speaks.
  profile text not null default 'standard' check (char_length(profile) between 1 and 40),
  firmware text check (char_length(firmware) <= 80),
  -- The number by which a JT/T 808 terminal of 2013 names itself: 12 digits, where an IMEI has 15. Terminals of 2019 send
  -- their IMEI and need none.
  terminal_number text unique check (terminal_number ~ '^[0-9]{12}$'),
  -- What a terminal said of itself when it registered first (HMAC): another one that knows only its number gets no code.
  terminal_mark text check (char_length(terminal_mark) between 20 and 80),
  -- Until then a JT/T 808 terminal may register; null: staff have not opened it.
  registration_open_until timestamptz,
  -- Counts the secrets that the device has had; each is derived from this number and its IMEI.
  secret_generation integer not null default 0 check (secret_generation between 0 and 1000000),
  foreign key (vehicle_id, agent_id, area_id) references vehicle (id, agent_id, area_id)
    on update cascade on delete cascade
);
comment on table device is 'IoT unit in a vehicle.';
create index device_imei_start on device (imei collate "C");
select enable_tenant_rls('device', true);
alter policy tenant on device
  using (agent_id = any ((select app_agent_ids())::bigint[]) and area_id = any ((select app_area_ids())::bigint[]))
  with check (agent_id = any ((select app_agent_ids())::bigint[]) and area_id = any ((select app_area_ids())::bigint[]));

create table device_config (
  vehicle_id bigint primary key,
  agent_id bigint not null,
  area_id bigint not null,
  -- Grows with every change; a device ignores a lower one.
  version bigint not null default 1 check (version > 0),
  settings jsonb not null check (jsonb_typeof(settings) = 'object' and length(settings::text) <= 8000),
  updated_at timestamptz not null,
  foreign key (vehicle_id, agent_id, area_id) references vehicle (id, agent_id, area_id) on update cascade
);
comment on table device_config is 'Configuration that a device receives when it subscribes.';
select enable_tenant_rls('device_config', true);

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
  -- Times of facts that are older than facts_at, and of the latest words on alarms: what gives a late report its place.
  -- Null for a vehicle that says everything in time.
  told jsonb check (jsonb_typeof(told) = 'object' and length(told::text) <= 8000),
  check ((lat is null) = (lng is null) and (lat is null) = (position_at is null)),
  foreign key (vehicle_id, agent_id, area_id) references vehicle (id, agent_id, area_id)
    on update cascade on delete cascade
) with (fillfactor = 70);
comment on table vehicle_status is
  'Latest known position, battery and state of a vehicle; rewritten with every report.';
create index vehicle_status_scope on vehicle_status (agent_id, area_id);
select enable_tenant_rls('vehicle_status', true);
alter policy tenant on vehicle_status
  using (case when (select length(current_setting('app.agent_ids', true)) + length(current_setting('app.area_ids', true)) > 100)
    then agent_id in (select unnest(app_agent_ids())) and area_id in (select unnest(app_area_ids()))
    else agent_id = any ((select app_agent_ids())::bigint[]) and area_id = any ((select app_area_ids())::bigint[]) end)
  with check (case when (select length(current_setting('app.agent_ids', true)) + length(current_setting('app.area_ids', true)) > 100)
    then agent_id in (select unnest(app_agent_ids())) and area_id in (select unnest(app_area_ids()))
    else agent_id = any ((select app_agent_ids())::bigint[]) and area_id = any ((select app_area_ids())::bigint[]) end);

create table vehicle_event (
  id bigint generated always as identity primary key,
  vehicle_id bigint not null references vehicle (id) on delete cascade,
  agent_id bigint not null,
  area_id bigint not null,
  event text not null check (event ~ '^[a-z_]{3,40}$'),
  from_state text not null,
  to_state text not null,
  cause text not null check (cause in ('device', 'clock', 'operator', 'registration', 'rider')),
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  -- The 85 transitions of MDS 2.0. A list in a check, because a foreign key doubled the time in which a month of events
  -- is taken in.
  constraint vehicle_event_transition check (event || ' ' || from_state || ' ' || to_state = any (array[
    'agency_drop_off missing available', 'agency_drop_off non_contactable available',
    'agency_drop_off removed available',
    'agency_pick_up available removed', 'agency_pick_up elsewhere removed', 'agency_pick_up missing removed',
    'agency_pick_up non_contactable removed', 'agency_pick_up non_operational removed',
    'battery_charged non_operational available',
    'battery_low available non_operational',
    'changed_geographies on_trip on_trip',
    'comms_lost available non_contactable', 'comms_lost elsewhere non_contactable',
    'comms_lost non_operational non_contactable', 'comms_lost on_trip non_contactable',
    'comms_lost removed non_contactable', 'comms_lost reserved non_contactable',
    'comms_restored non_contactable available', 'comms_restored non_contactable elsewhere',
    'comms_restored non_contactable non_operational', 'comms_restored non_contactable on_trip',
    'comms_restored non_contactable removed', 'comms_restored non_contactable reserved',
    'compliance_pick_up available removed', 'compliance_pick_up elsewhere removed',
    'compliance_pick_up non_operational removed',
    'decommissioned available removed', 'decommissioned elsewhere removed', 'decommissioned missing removed',
    'decommissioned non_contactable removed', 'decommissioned non_operational removed',
    'located missing available', 'located missing elsewhere', 'located missing non_operational',
    'located missing on_trip', 'located missing removed', 'located missing reserved',
    'maintenance available non_operational', 'maintenance non_operational available',
    'maintenance_pick_up available removed', 'maintenance_pick_up elsewhere removed',
    'maintenance_pick_up non_operational removed',
    'not_located non_contactable missing',
    'off_hours available non_operational',
    'on_hours non_operational available',
    'provider_drop_off missing available', 'provider_drop_off non_contactable available',
    'provider_drop_off removed available',
    'rebalance_pick_up available removed', 'rebalance_pick_up elsewhere removed',
    'rebalance_pick_up non_operational removed',
    'reservation_cancel reserved available',
    'reservation_start available reserved',
    'system_resume non_operational available',
    'system_suspend available non_operational',
    'trip_cancel on_trip available',
    'trip_end on_trip available',
    'trip_enter_jurisdiction elsewhere on_trip',
    'trip_leave_jurisdiction on_trip elsewhere',
    'trip_start available on_trip', 'trip_start reserved on_trip',
    'unspecified available non_contactable', 'unspecified available non_operational', 'unspecified available removed',
    'unspecified elsewhere non_contactable', 'unspecified elsewhere removed', 'unspecified missing available',
    'unspecified missing elsewhere', 'unspecified missing non_operational', 'unspecified missing on_trip',
    'unspecified missing removed', 'unspecified missing reserved', 'unspecified non_contactable available',
    'unspecified non_contactable elsewhere', 'unspecified non_contactable missing',
    'unspecified non_contactable non_operational', 'unspecified non_contactable on_trip',
    'unspecified non_contactable removed', 'unspecified non_contactable reserved',
    'unspecified non_operational available', 'unspecified non_operational non_contactable',
    'unspecified non_operational removed', 'unspecified on_trip non_contactable',
    'unspecified removed non_contactable', 'unspecified reserved non_contactable'
  ]))
);
comment on table vehicle_event is
  'State changes of vehicles by the events of MDS; append-only, with the company and area of that day.';
create index vehicle_event_vehicle on vehicle_event (vehicle_id, id desc);
create index vehicle_event_time on vehicle_event (vehicle_id, occurred_at desc, id desc);
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
  closed_at timestamptz,
  -- Who looked after an alarm; null while nobody has, and where the device closed it itself.
  fixed_by_id bigint,
  fixed_by text check (char_length(fixed_by) between 1 and 40),
  note text not null default '' check (char_length(note) <= 200),
  constraint vehicle_alarm_fixed_check check ((fixed_by is null) = (fixed_by_id is null) and (fixed_by is null or closed_at is not null))
);
comment on table vehicle_alarm is 'Alarm of a vehicle, open until its cause ends or a person closes it.';
create unique index vehicle_alarm_open on vehicle_alarm (vehicle_id, kind) where closed_at is null;
create index vehicle_alarm_scope on vehicle_alarm (agent_id, area_id) where closed_at is null;
create index vehicle_alarm_vehicle on vehicle_alarm (vehicle_id, id desc);
create index vehicle_alarm_area on vehicle_alarm (area_id, id desc);
create index vehicle_alarm_area_open on vehicle_alarm (area_id, id desc) where closed_at is null;
select enable_tenant_rls('vehicle_alarm', true);
alter policy tenant on vehicle_alarm
  using (agent_id = any ((select app_agent_ids())::bigint[]) and area_id = any ((select app_area_ids())::bigint[]))
  with check (agent_id = any ((select app_agent_ids())::bigint[]) and area_id = any ((select app_area_ids())::bigint[]));

create table vehicle_command (
  id bigint generated always as identity primary key,
  vehicle_id bigint not null references vehicle (id),
  agent_id bigint not null,
  area_id bigint not null,
  kind text not null check (kind in
    ('unlock', 'lock', 'ring', 'open_battery', 'power_off', 'restart', 'locate', 'set_parameters')),
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
  parameters jsonb,
  -- Commands that were given together.
  batch_id uuid,
  check ((state in ('confirmed', 'expired', 'failed')) = (finished_at is not null)),
  check ((state in ('expired', 'failed')) = (failure is not null)),
  constraint vehicle_command_parameters_check check ((kind = 'set_parameters') = (parameters is not null))
);
comment on table vehicle_command is 'Command to a device, from queued to confirmed, expired or failed.';
create unique index vehicle_command_pending on vehicle_command (vehicle_id, kind)
  where state in ('queued', 'sent', 'acknowledged');
create index vehicle_command_due on vehicle_command (expires_at) where state in ('queued', 'sent', 'acknowledged');
create index vehicle_command_vehicle on vehicle_command (vehicle_id, id desc);
create index vehicle_command_batch on vehicle_command (batch_id) where batch_id is not null;
-- What riders' apps had done, newest first, for the log of vehicles. Commands of people have their lines in the trail.
create index vehicle_command_riders on vehicle_command (agent_id, queued_at, id) include (area_id) where operator_id = 0;
select enable_tenant_rls('vehicle_command', true);

create table trip (
  id bigint generated by default as identity primary key,
  vehicle_id bigint not null references vehicle (id),
  agent_id bigint not null,
  area_id bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- WGS-84.
  start_lat double precision check (start_lat between -90 and 90),
  start_lng double precision check (start_lng between -180 and 180),
  end_lat double precision check (end_lat between -90 and 90),
  end_lng double precision check (end_lng between -180 and 180),
  distance_m real check (distance_m >= 0),
  duration_s integer check (duration_s >= 0),
  battery_start real check (battery_start between 0 and 100),
  battery_end real check (battery_end between 0 and 100),
  rider_ref text check (char_length(rider_ref) <= 80),
  check ((start_lat is null) = (start_lng is null) and (end_lat is null) = (end_lng is null)),
  check ((ended_at is null) = (duration_s is null) and ended_at >= started_at)
);
comment on table trip is 'Movement of a vehicle from the opening of its lock to its closing.';
create unique index trip_open on trip (vehicle_id) where ended_at is null;
create index trip_vehicle on trip (vehicle_id, started_at desc);
create index trip_area on trip (area_id, started_at desc);
create index trip_area_open on trip (area_id, started_at desc) where ended_at is null;
create index trip_area_ended on trip (area_id, ended_at desc) where ended_at is not null;
select enable_tenant_rls('trip', true);

create table screening (
  id bigint generated always as identity primary key,
  agent_id bigint not null references agent (id),
  operator_id bigint not null,
  name text not null check (char_length(name) between 1 and 40),
  filter jsonb not null check (jsonb_typeof(filter) = 'object' and length(filter::text) <= 200000),
  shared boolean not null default false,
  updated_at timestamptz not null,
  unique (operator_id, name),
  foreign key (operator_id, agent_id) references operator (id, agent_id) on delete cascade
);
comment on table screening is 'Saved filter for vehicles, of one operator or shared in the company.';
create index screening_agent on screening (agent_id);
select enable_tenant_rls('screening', false);

create table fleet_day (
  area_id bigint not null,
  agent_id bigint not null,
  day date not null,
  vehicles integer not null check (vehicles >= 0),
  ridden integer not null check (ridden between 0 and vehicles),
  trips integer not null check (trips >= 0),
  ride_seconds bigint not null check (ride_seconds >= 0),
  distance_m double precision not null check (distance_m >= 0),
  battery_percent real check (battery_percent between 0 and 100),
  low_battery integer not null check (low_battery between 0 and vehicles),
  made_at timestamptz not null,
  primary key (area_id, day)
);
comment on table fleet_day is 'Fleet figures of a service area by business day.';
select enable_tenant_rls('fleet_day', true);
revoke insert, update, delete, truncate on fleet_day from saddle_app;

create table fleet_job (
  name text primary key,
  done_to timestamptz not null
);
comment on table fleet_job is 'How far the recurring jobs of the fleet have come.';
revoke all on fleet_job from saddle_app;
