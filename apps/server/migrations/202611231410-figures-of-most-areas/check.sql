select 'nobody else may ask for ' || f.oid::regprocedure as what, not has_function_privilege('public', f.oid, 'execute') as ok
from pg_proc f where f.proname in ('report_reach', 'report_ride_rest_day', 'report_ride_rest_hour', 'report_money_rest_day',
  'report_fleet_rest_day');

select 'a request has no more than its scope' as what, report_reach('{1,2}', '{2,3}') = '{2}' as ok;

set local role saddle_system;
select 'a company without an area has the rides of the others' as what, not exists (
  select from report_company w cross join lateral (
    select sum(f.rides) as rides from report_ride_rest_day(array[w.agent_id], w.area_ids[2:], 'all', '-infinity', 'infinity') f
  ) most cross join lateral (
    select sum(d.rides) as rides from report_ride_day d where d.area_id = any (w.area_ids[2:]) and d.cut = 'all'
  ) own
  where coalesce(most.rides, 0) <> coalesce(own.rides, 0)) as ok;
reset role;
