select 'row level security is forced: ' || c.relname as what, c.relforcerowsecurity as ok
from pg_class c where c.relname in ('demand_search', 'rebalance_plan', 'rebalance_vehicle') and c.relkind = 'r';
select 'all three tables exist' as what, count(*) = 3 as ok
from pg_class c where c.relname in ('demand_search', 'rebalance_plan', 'rebalance_vehicle') and c.relkind = 'r';
