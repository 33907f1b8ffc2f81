select 'rewards by hand are numbered' as what, has_sequence_privilege('saddle_system', 'reward_hand', 'usage') as ok;

select 'rewards by hand are acts on money' as what, pg_get_constraintdef(oid) like '%reward%' as ok
from pg_constraint where conname = 'money_action_act_check';
