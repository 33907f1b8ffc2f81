select 'payments know their payer' as what,
  exists (select from pg_attribute where attrelid = 'payment'::regclass and attname = 'payer_hash' and not attisdropped) as ok;
