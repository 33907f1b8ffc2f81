select 'every paid payment says what it became' as what, not exists (
  select from payment where state = 'paid' and became is null
) as ok;

select 'an index finds the payments of an order' as what, to_regclass('payment_subject') is not null as ok;
