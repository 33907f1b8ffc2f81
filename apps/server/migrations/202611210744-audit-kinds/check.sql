select 'indexes of acts and kinds over all companies' as what, count(*) = 2 as ok from pg_indexes
where indexname in ('audit_line_newest_action', 'audit_line_newest_kind') and indexdef like '%INCLUDE (agent_id, area_id)%';
