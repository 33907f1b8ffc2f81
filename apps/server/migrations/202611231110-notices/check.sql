select 'the row policy of ' || relname || ' is forced' as what, relforcerowsecurity as ok
from pg_class where oid in ('notice'::regclass, 'notice_delivery'::regclass, 'notice_rule'::regclass,
  'notice_setting'::regclass, 'notice_template'::regclass, 'notice_address'::regclass);

select 'a receiver gets a notice once by a channel' as what, indisunique as ok
from pg_index where indexrelid = 'notice_delivery_once'::regclass;
