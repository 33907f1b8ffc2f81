select 'no change of ' || target || ' by ' || rolname as what,
  not has_table_privilege(rolname, target, 'update, delete, truncate')
    and not has_any_column_privilege(rolname, target, 'update') as ok
from pg_roles, unnest(array['audit_record', 'audit_mention', 'audit_anchor']) target
where rolname in ('saddle_app', 'saddle_system');

select rolname || ' writes what happened and not the chain' as what,
  has_column_privilege(rolname, 'audit_record', 'action', 'insert')
    and not has_column_privilege(rolname, 'audit_record', 'hash', 'insert')
    and not has_column_privilege(rolname, 'audit_record', 'sequence', 'insert') as ok
from pg_roles where rolname in ('saddle_app', 'saddle_system');

select 'a request makes no anchors' as what, not has_table_privilege('saddle_app', 'audit_anchor', 'insert') as ok;

select 'the owner is refused too' as what, count(*) = 6 as ok
from pg_trigger where tgname in ('refuse_change', 'refuse_truncate') and tgenabled = 'O'
  and tgrelid in ('audit_record'::regclass, 'audit_mention'::regclass, 'audit_anchor'::regclass);

select 'the policy of ' || tablename || ' hashes its list' as what,
  qual like '%unnest(app_agent_ids())%' and with_check = qual as ok
from pg_policies where policyname = 'tenant' and tablename in ('audit_record', 'audit_mention');
