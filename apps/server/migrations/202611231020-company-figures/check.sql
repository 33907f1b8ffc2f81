select 'requests do not change figures: ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'insert, update, delete, truncate') as ok
from unnest(array['report_company', 'report_ride_company_hour', 'report_ride_company_day', 'report_money_company_hour',
  'report_money_company_day', 'report_fleet_company_day']) t (name);

select 'a company has the rides of its areas' as what, not exists (
  select from (select agent_id, sum(rides) as rides from report_ride_day where cut = 'all' group by agent_id) a
  full join (select agent_id, sum(rides) as rides from report_ride_company_day where cut = 'all' group by agent_id) c
    using (agent_id)
  where a.rides is distinct from c.rides) as ok;

select 'a company has the vehicles of its areas' as what, not exists (
  select from (select agent_id, day, sum(vehicles) as vehicles from fleet_day group by agent_id, day) a
  full join report_fleet_company_day c using (agent_id, day)
  where coalesce(a.vehicles, 0) <> coalesce(c.vehicles, 0)) as ok;
