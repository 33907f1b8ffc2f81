-- The number by which a JT/T 808 terminal of 2013 names itself: 12 digits, where an IMEI has 15. Terminals of 2019 send
-- their IMEI and need none.
alter table device add column terminal_number text unique check (terminal_number ~ '^[0-9]{12}$');
-- What a terminal said of itself when it registered first (HMAC): another one that knows only its number gets no code.
alter table device add column terminal_mark text check (char_length(terminal_mark) between 20 and 80);

-- How a device is to behave: retained for it and given to it whenever it subscribes.
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
select enable_tenant_rls('device_config', true);

-- Why a device is held for a person to look at.
alter table unknown_device add column reason text not null default 'unknown'
  check (reason in ('unknown', 'secret', 'protocol'));
alter table unknown_device drop constraint unknown_device_imei_check;
alter table unknown_device add constraint unknown_device_imei_check check (imei ~ '^[0-9]{12,20}$');

-- Drops the daily partitions before a day; returns how many. The system role owns what it made.
create function drop_device_report_days(first_kept date) returns integer language plpgsql
as $$
declare
  day text;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('device_report_day', 0));
  for day in
    select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'device_report_day' and c.relname ~ '^d[0-9]{8}$' and c.relkind = 'r'
      and c.relname < 'd' || to_char(first_kept, 'YYYYMMDD')
    order by 1
  loop
    execute format('drop table device_report_day.%I', day);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
