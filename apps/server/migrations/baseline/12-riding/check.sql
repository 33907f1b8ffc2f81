select 'a charge and its evidence are never changed: ' || t.name || ', ' || r.name as what,
  not has_table_privilege(r.name, t.name, 'update, delete, truncate') as ok
from unnest(array['price_version', 'price_withdrawal', 'order_line', 'return_check', 'order_refund']) t (name),
  unnest(array['saddle_app', 'saddle_system']) r (name);

select 'orders are never removed by ' || r.name as what, not has_table_privilege(r.name, 'ride_order', 'delete, truncate') as ok
from unnest(array['saddle_app', 'saddle_system']) r (name);

select 'every state has cells of its own' as what, order_cell('reserved', null) = 16 and order_cell('refunded', 5000) = 183
  and order_cell('paid', 299) = 146 as ok;
