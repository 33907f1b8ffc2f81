select 'uses of activities are listed by an index: ' || i.name as what, to_regclass(i.name) is not null as ok
from unnest(array['activity_use_agent', 'activity_use_list', 'coupon_batch_activity']) i (name);

select 'only batches of rewards name an activity' as what, convalidated as ok
from pg_constraint where conname = 'coupon_batch_activity_source';
