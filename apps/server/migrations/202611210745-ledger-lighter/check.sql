select 'postings and balances move inside of triggers only: ' || polrelid::regclass::text as what,
  pg_get_expr(polwithcheck, polrelid) = '(pg_trigger_depth() > 0)' as ok
from pg_policy
where (polrelid, polname) in (('ledger_posting'::regclass, 'system'), ('ledger_balance'::regclass, 'system_move'));

select 'both policies exist' as what, count(*) = 2 as ok
from pg_policy
where (polrelid, polname) in (('ledger_posting'::regclass, 'system'), ('ledger_balance'::regclass, 'system_move'));

select 'an opened account is empty' as what, count(*) = 1 as ok
from pg_policy where polrelid = 'ledger_balance'::regclass and polname = 'system_open' and polcmd = 'a';
