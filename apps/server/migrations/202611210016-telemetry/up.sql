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
select enable_tenant_rls('device_report', true);

-- Partitions are made while the platform runs, by the system role, in a schema that nobody else may enter: requests
-- reach reports only through the table above and its policies.
create schema device_report_day;
grant usage, create on schema device_report_day to saddle_system;
grant create on schema public to saddle_system;
alter table device_report owner to saddle_system;
revoke create on schema public from saddle_system;
grant select, insert on device_report to saddle_app, saddle_system;
revoke update, delete, truncate on device_report from saddle_app, saddle_system;

-- Makes the missing daily partitions (UTC) of a span of days; returns how many it made.
create function ensure_device_report_days(first_day date, last_day date) returns integer language plpgsql
as $$
declare
  day date;
  made integer := 0;
begin
  if last_day - first_day > 100 then
    raise exception 'more than 100 days of partitions at once';
  end if;
  -- Several servers start at the same time.
  perform pg_advisory_xact_lock(hashtextextended('device_report_day', 0));
  for day in select generate_series(first_day, last_day, interval '1 day')::date loop
    if to_regclass(format('device_report_day.d%s', to_char(day, 'YYYYMMDD'))) is null then
      execute format(
        'create table device_report_day.d%s partition of public.device_report for values from (%L) to (%L)',
        to_char(day, 'YYYYMMDD'), day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
      made := made + 1;
    end if;
  end loop;
  return made;
end
$$;

-- Devices that called and are not registered, held for a person to look at. Nobody's tenant data; bounded by its writer.
create table unknown_device (
  imei text primary key check (imei ~ '^[0-9]{15}$'),
  protocol text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  attempts bigint not null default 1,
  address text not null
);
revoke all on unknown_device from saddle_app;
