select 'a returned refund says when and by whom' as what,
  count(*) = 1 and bool_and(convalidated) as ok
from pg_constraint where conname = 'payment_refund_returned_check';

select 'refunds that are not paid out are owed to their riders' as what,
  (select coalesce(sum(cents), 0) from payment_refund where state in ('waiting', 'failed')) = (
    select coalesce(sum(b.balance_cents), 0) from ledger_account a join ledger_balance b on b.account_id = a.id
    where a.kind = 'refund_payable'
  ) as ok;
