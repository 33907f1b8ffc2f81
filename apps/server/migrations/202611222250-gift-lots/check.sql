select 'requests write no gift balance: ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'insert, update, delete, truncate')
    and not has_table_privilege('saddle_system', t.name, 'delete, truncate') as ok
from unnest(array['gift_lot', 'gift_use']) t (name);

select 'lots and ledger agree at each commit: ' || t.tgname as what, t.tgdeferrable and t.tginitdeferred as ok
from pg_trigger t where t.tgname in ('equal_balance', 'equal_lots');

select 'a lot is never below zero' as what, convalidated as ok from pg_constraint where conname = 'gift_lot_open';

select 'one thing gives one lot' as what, indisunique as ok from pg_index where indexrelid = 'gift_lot_source'::regclass;
