select 'the policy of ' || tablename || ' for requests' as what,
  (qual like '%unnest(app_area_ids())%') = (tablename in ('vehicle', 'vehicle_status'))
    and qual like '%agent_id = ANY%' and qual like '%area_id = ANY%' and with_check = qual and roles = '{saddle_app}' as ok
from pg_policies
where policyname = 'tenant' and tablename in ('vehicle', 'vehicle_status', 'device', 'vehicle_alarm', 'task');
