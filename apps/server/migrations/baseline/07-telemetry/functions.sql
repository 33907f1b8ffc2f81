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

-- Makes the missing daily partitions (UTC) of a span of days; returns how many it made.
create function ensure_track_segment_days(first_day date, last_day date) returns integer language plpgsql
as $$
declare
  day date;
  made integer := 0;
begin
  if last_day - first_day > 400 then
    raise exception 'more than 400 days of partitions at once';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('track_segment_day', 0));
  for day in select generate_series(first_day, last_day, interval '1 day')::date loop
    if to_regclass(format('track_segment_day.d%s', to_char(day, 'YYYYMMDD'))) is null then
      execute format(
        'create table track_segment_day.d%s partition of public.track_segment for values from (%L) to (%L)',
        to_char(day, 'YYYYMMDD'), day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
      made := made + 1;
    end if;
  end loop;
  return made;
end
$$;
