-- Daily partitions are made while the platform runs, by the system role, in schemas that nobody else may enter: requests
-- reach them only through the tables below and their policies.
create schema device_report_day;
create schema track_segment_day;
grant usage, create on schema device_report_day, track_segment_day to saddle_system;
-- Whoever makes partitions has to own the table; taken back below.
grant create on schema public to saddle_system;

-- Everything that devices said, by the day on which they said it. The day is that of the device's own time (the time of
-- arrival where it has none): a frame that comes twice then has the same key in the same partition and changes nothing,
-- which a key with the time of arrival could not tell.
create table device_report (
  vehicle_id bigint not null,
  agent_id bigint not null,
  area_id bigint not null,
  occurred_at timestamptz not null,
  -- CRC-32 of the frame: tells frames of the same instant apart.
  frame_crc integer not null,
  received_at timestamptz not null,
  kind text not null check (char_length(kind) between 1 and 20),
  lat double precision,
  lng double precision,
  fix boolean,
  speed_kmh real,
  heading_deg real,
  altitude_m real,
  battery_percent real,
  voltage_v real,
  locked boolean,
  charging boolean,
  signal integer,
  odometer_m bigint,
  alarms text[] not null default '{}',
  primary key (vehicle_id, occurred_at, frame_crc)
) partition by range (occurred_at);
comment on table device_report is 'Every message of a device; one partition for each day of its device time.';
alter table device_report owner to saddle_system;
-- What is looked for by the time of arrival stands together in the order of arrival: a few bytes for each 128 pages.
create index device_report_received on device_report using brin (received_at) with (autosummarize = on);
select enable_tenant_rls('device_report', true);
grant select, insert on device_report to saddle_app, saddle_system;
revoke update, delete, truncate on device_report from saddle_app, saddle_system;

-- Where vehicles were, in stretches: a ride with its points, or a stay at one place. By the day (UTC) on which they
-- begin; none goes on beyond midnight, so that a moment of the past is looked for in few partitions.
create table track_segment (
  vehicle_id bigint not null,
  agent_id bigint not null,
  area_id bigint not null,
  kind text not null check (kind in ('trip', 'stay')),
  started_at timestamptz not null,
  ended_at timestamptz not null check (ended_at >= started_at),
  start_lat double precision not null,
  start_lng double precision not null,
  end_lat double precision not null,
  end_lng double precision not null,
  distance_m real not null default 0,
  battery_start real,
  battery_end real,
  point_count integer not null default 0,
  -- Coded differences, nothing in them for a compressor.
  points bytea not null default '\x',
  primary key (vehicle_id, started_at)
) partition by range (started_at);
comment on table track_segment is
  'Positions of vehicles as encoded trips and stays; one partition for each day (UTC).';
alter table track_segment alter column points set storage external;
alter table track_segment owner to saddle_system;
create index track_segment_started on track_segment (started_at);
select enable_tenant_rls('track_segment', true);
grant select on track_segment to saddle_app;
revoke insert, update, delete, truncate on track_segment from saddle_app;

create table unknown_device (
  imei text primary key check (imei ~ '^[0-9]{12,20}$'),
  protocol text not null check (protocol in ('omni', 'jt808', 'mqtt')),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  attempts bigint not null default 1 check (attempts >= 1),
  address text not null,
  -- Why a device is held for a person to look at.
  reason text not null default 'unknown'
    check (reason in ('unknown', 'secret', 'protocol')),
  -- A device that nobody registered is the platform's to decide on. One that is registered, and called with a wrong
  -- secret or over another protocol, belongs to whoever has its vehicle.
  agent_id bigint not null,
  area_id bigint,
  state text not null default 'open' check (state in ('open', 'refused', 'accepted')),
  decided_at timestamptz,
  decided_by bigint,
  -- As it was then: operators are renamed and leave.
  decided_by_name text,
  decision_reason text check (char_length(decision_reason) between 1 and 200),
  -- When a refused sign-in of a registered device was last written into the log of devices: once an hour is enough.
  told_at timestamptz,
  constraint unknown_device_decided check
    ((state = 'open') = (decided_at is null) and (state = 'open') = (decided_by is null)
      and (state = 'open') = (decided_by_name is null) and (state = 'refused') <= (decision_reason is not null)),
  foreign key (agent_id) references agent (id)
);
comment on table unknown_device is 'Device that connected and was not let in, kept for a person to decide on.';
create index unknown_device_seen on unknown_device (agent_id, state, last_seen_at desc, imei);
select enable_tenant_rls('unknown_device', true);
revoke all on unknown_device from saddle_app;
-- Whoever decides reads rows and changes their state; the gateway alone writes them.
grant select, update on unknown_device to saddle_app;

create table gateway_node (
  node text not null check (char_length(node) between 1 and 80),
  protocol text not null check (protocol in ('omni', 'jt808', 'mqtt')),
  started_at timestamptz not null,
  seen_at timestamptz not null,
  sessions integer not null check (sessions >= 0),
  reports bigint not null check (reports >= 0),
  reports_per_second real not null check (reports_per_second >= 0),
  rejected bigint not null check (rejected >= 0),
  waiting integer not null check (waiting >= 0),
  primary key (node, protocol)
);
comment on table gateway_node is 'State of the listeners for devices, by process and protocol.';
revoke all on gateway_node from saddle_app;

revoke create on schema public from saddle_system;
