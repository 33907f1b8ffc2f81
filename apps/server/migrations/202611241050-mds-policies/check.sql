select 'the row policy of ' || relname || ' is forced' as what, relforcerowsecurity as ok
from pg_class where oid in ('mds_policy'::regclass, 'mds_policy_rule'::regclass);

select 'a policy is brought once' as what, exists (
  select from pg_indexes where tablename = 'mds_policy' and indexname = 'mds_policy_known'
) as ok;
