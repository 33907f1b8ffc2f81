select 'requests do not change figures: ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'insert, update, delete, truncate') as ok
from unnest(array['report_ride_hour', 'report_ride_day', 'report_ride_month', 'report_money_hour', 'report_money_day',
  'report_money_month']) t (name);

select 'an hour belongs to one day' as what, bool_and(extract(minute from (timestamptz '2026-01-01 00:00+00' at time zone z)) = 0) as ok
from unnest(array['Asia/Shanghai', 'Asia/Urumqi', 'Asia/Bangkok', 'Asia/Singapore', 'Asia/Tokyo', 'Europe/London', 'Europe/Berlin']) z;
