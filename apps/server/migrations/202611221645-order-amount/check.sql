select 'no order has another amount than its charge' as what,
  not exists (select from ride_order where amount_cents <> coalesce(charged_cents, 0)) as ok;
