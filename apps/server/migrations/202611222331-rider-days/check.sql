select 'orders keep the days up: ' || tgname as what, tgenabled = 'O' as ok
from pg_trigger where tgname in ('count_rides_made', 'count_ride_changed');

select 'nobody removes from ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'delete') and not has_table_privilege('saddle_system', t.name, 'delete') as ok
from unnest(array['rider_day', 'rider_use']) t (name);
