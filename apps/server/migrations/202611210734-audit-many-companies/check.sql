select 'a policy of ' || tablename || ' for requests' as what,
  qual like '%unnest(app_agent_ids())%' and with_check like '%unnest(app_agent_ids())%' and roles = '{saddle_app}' as ok
from pg_policies where policyname = 'tenant' and tablename in ('audit_line', 'audit_mention');

select 'indexes over all companies' as what, count(*) = 3 as ok from pg_indexes
where indexname in ('audit_line_operator', 'audit_line_subject', 'audit_line_newest') and indexdef like '%INCLUDE (agent_id, area_id)%';
