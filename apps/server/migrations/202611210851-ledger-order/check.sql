select 'many entries are held against the balance in their order' as what,
  pg_get_functiondef('ledger_post(bigint[], text[], text[], text[], timestamptz[], bigint[], text[], text[], text[])'::regprocedure)
    like '%between two entries%' as ok;

select 'requests do not post by themselves' as what,
  p.prosecdef and has_function_privilege('saddle_system', p.oid, 'execute')
    and not has_function_privilege('saddle_app', p.oid, 'execute') as ok
from pg_proc p where p.proname = 'ledger_post';
