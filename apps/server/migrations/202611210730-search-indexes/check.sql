select 'the policy of ' || tablename || ' for requests' as what,
  qual like '%unnest(app_agent_ids())%' and qual like '%unnest(app_area_ids())%' and with_check = qual
    and roles = '{saddle_app}' as ok
from pg_policies
where policyname = 'tenant' and tablename in ('vehicle', 'vehicle_status', 'device', 'vehicle_alarm', 'task');

select 'an index of last digits' as what, count(*) = 1 as ok from pg_indexes
where indexname = 'vehicle_number_end' and indexdef like '%(number_backwards COLLATE "C")%';

select 'numbers read backwards' as what, coalesce(bool_and(number_backwards = reverse(number)), true) as ok from vehicle;
