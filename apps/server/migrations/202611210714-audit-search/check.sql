select 'row level security of ' || relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid in ('audit_line'::regclass, 'audit_mention'::regclass, 'audit_anchor'::regclass);

select 'no change of ' || target || ' by ' || rolname as what,
  not has_table_privilege(rolname, target, 'update, delete, truncate') and not has_any_column_privilege(rolname, target, 'update') as ok
from pg_roles, unnest(array['audit_line', 'audit_mention', 'audit_anchor']) target
where rolname in ('saddle_app', 'saddle_system');

select 'a request makes no anchors' as what, not has_table_privilege('saddle_app', 'audit_anchor', 'insert') as ok;

select 'the owner is refused too' as what, count(*) = 6 as ok
from pg_trigger where tgname in ('refuse_change', 'refuse_truncate') and tgenabled = 'O'
  and tgrelid in ('audit_line'::regclass, 'audit_mention'::regclass, 'audit_anchor'::regclass);
