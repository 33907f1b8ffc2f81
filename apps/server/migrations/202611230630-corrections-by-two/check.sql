select 'corrections of bills wait for a second person' as what, pg_get_constraintdef(oid) like '%split_correction%' as ok
from pg_constraint where conname = 'money_action_act_check';

select 'what was requested does not change' as what,
  not has_column_privilege('saddle_system', 'money_action', 'cents', 'update')
    and not has_column_privilege('saddle_system', 'money_action', 'input', 'update')
    and has_column_privilege('saddle_system', 'money_action', 'state', 'update') as ok;
