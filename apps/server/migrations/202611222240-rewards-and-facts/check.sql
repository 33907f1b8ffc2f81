select 'no role deletes rewards' as what,
  not has_table_privilege('saddle_app', 'reward', 'delete') and not has_table_privilege('saddle_system', 'reward', 'delete') as ok;

select 'an occasion gives a reward once' as what, convalidated as ok from pg_constraint where conname = 'reward_once';

select 'facts are numbered from one place' as what, count(*) = 1 as ok from fact_number;

select 'requests change no fact' as what, not has_table_privilege('saddle_app', 'fact', 'update')
  and not has_table_privilege('saddle_app', 'fact', 'delete') as ok;
