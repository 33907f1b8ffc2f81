select relname || ' is behind row level security' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where relname in ('invoice', 'invoice_item');

select 'nothing is invoiced twice' as what, indisunique as ok
from pg_index where indexrelid = 'invoice_item_once'::regclass;
