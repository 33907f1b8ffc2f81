select 'a coupon is of the kind, the version and the company of its batch' as what,
  exists (
    select from pg_constraint
    where conrelid = 'coupon'::regclass and confrelid = 'coupon_batch'::regclass and convalidated and cardinality(conkey) = 4
  ) as ok;

select 'a batch refers to a version of its kind' as what,
  exists (
    select from pg_constraint
    where conrelid = 'coupon_batch'::regclass and confrelid = 'coupon_template_version'::regclass and convalidated
  ) as ok;

select 'rows of one moment are appended to ' || i.name as what,
  pg_get_indexdef(to_regclass(i.name)) not like '% DESC%' as ok
from unnest(array['coupon_agent', 'coupon_time', 'coupon_of_template', 'coupon_of_batch', 'campaign_rider_list']) i (name);
