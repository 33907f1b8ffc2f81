select 'requests only read ' || t.name as what,
  has_table_privilege('saddle_app', t.name, 'select')
    and not has_table_privilege('saddle_app', t.name, 'insert, update, delete') as ok
from unnest(array['payment', 'payment_refund', 'payment_event', 'rider_deposit', 'deposit_case', 'rider_card', 'card_use',
  'platform_charge', 'money_action']) t (name);

select 'nothing is invoiced twice' as what, indisunique as ok
from pg_index where indexrelid = 'invoice_item_once'::regclass;

select 'a request of a rider is one payment' as what, indisunique as ok
from pg_index where indexrelid = 'payment_request'::regclass;
