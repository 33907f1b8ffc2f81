select 'tours are found by their person' as what, indisvalid as ok
from pg_index where indexrelid = 'rebalance_plan_assignee'::regclass;

select 'a plan without a person names none' as what, count(*) = 1 as ok
from pg_constraint where conrelid = 'rebalance_plan'::regclass and conname = 'rebalance_plan_assignee';
