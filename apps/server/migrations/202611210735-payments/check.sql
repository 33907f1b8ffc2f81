select relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where relname in ('payment', 'payment_refund', 'payment_event');

select 'requests only read ' || relname as what,
  has_table_privilege('saddle_app', oid, 'select') and not has_table_privilege('saddle_app', oid, 'insert, update, delete') as ok
from pg_class where relname in ('payment', 'payment_refund', 'payment_event');
