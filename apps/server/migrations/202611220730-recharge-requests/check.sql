select 'a request of a rider is one payment' as what, indisunique as ok
from pg_index where indexrelid = 'payment_request'::regclass;
