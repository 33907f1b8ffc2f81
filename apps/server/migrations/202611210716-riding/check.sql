select 'row level security on ' || relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid in ('rider'::regclass, 'price_version'::regclass, 'ride_order'::regclass,
  'order_line'::regclass, 'return_check'::regclass, 'return_review'::regclass, 'order_refund'::regclass,
  'rider_app'::regclass);

select 'a charge and its evidence are never changed: ' || name as what,
  not has_table_privilege('saddle_app', name, 'update, delete, truncate')
  and not has_table_privilege('saddle_system', name, 'update, delete, truncate') as ok
from unnest(array['price_version', 'order_line', 'return_check', 'order_refund']) name;

select 'orders are never removed' as what,
  not has_table_privilege('saddle_app', 'ride_order', 'delete, truncate')
  and not has_table_privilege('saddle_system', 'ride_order', 'delete, truncate') as ok;

select 'every state has cells of its own' as what, order_cell('reserved', null) = 16 and order_cell('refunded', 5000) = 183
  and order_cell('paid', 299) = 146 as ok;
