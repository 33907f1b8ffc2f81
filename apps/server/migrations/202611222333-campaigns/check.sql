select 'no role deletes ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'delete') and not has_table_privilege('saddle_system', t.name, 'delete') as ok
from unnest(array['campaign', 'campaign_rider', 'rider_message', 'marketing_setting']) t (name);

select 'a campaign reaches a rider once' as what, indisunique as ok
from pg_index where indexrelid = 'campaign_rider_pkey'::regclass;

select 'no budget is overspent: ' || conname as what, convalidated as ok
from pg_constraint where conname in ('campaign_budget', 'coupon_batch_wanted_check');
