select 'sold cards are read by the time at which they were asked for' as what, count(*) = 3 as ok
from pg_index i join pg_class c on c.oid = i.indexrelid
where c.relname in ('rider_card_agent', 'rider_card_list', 'rider_card_product')
  and pg_get_indexdef(i.indexrelid) like '%asked_at DESC%';
