select 'row level security on ally' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid = 'ally'::regclass;

select 'a person may leave' as what, pg_get_constraintdef(oid) like '%removed%' as ok
from pg_constraint where conname = 'operator_state_check';

select 'who is here has a number' as what, not exists (
  select from operator where state <> 'removed' and phone_hash is null
) as ok;
