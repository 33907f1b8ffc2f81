select 'no role deletes ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'delete') and not has_table_privilege('saddle_system', t.name, 'delete') as ok
from unnest(array['coupon_template', 'coupon_template_version', 'coupon_batch', 'coupon']) t (name);

select 'terms of a version stay as they were' as what,
  not has_table_privilege('saddle_app', 'coupon_template_version', 'update')
    and not has_table_privilege('saddle_system', 'coupon_template_version', 'update') as ok;

select 'a code is one coupon' as what, indisunique as ok from pg_index where indexrelid = 'coupon_code'::regclass;

select 'no budget is overspent: ' || conname as what, convalidated as ok
from pg_constraint where conname in ('coupon_template_cents_budget', 'coupon_template_uses_budget');
