-- `returned`: the channel could not pay it out and the rider has it as balance. One that was returned and is `done` all
-- the same was paid out by the channel afterwards.
alter table payment_refund drop constraint payment_refund_state_check;
alter table payment_refund add constraint payment_refund_state_check
  check (state in ('waiting', 'done', 'failed', 'returned'));
alter table payment_refund add column returned_at timestamptz;
alter table payment_refund add column returned_by text check (char_length(returned_by) between 1 and 60);
alter table payment_refund add constraint payment_refund_returned_check
  check ((returned_at is null) = (returned_by is null) and (state <> 'returned' or returned_at is not null)
    and (returned_at is null or state in ('returned', 'done')));

-- Refunds that no channel has paid out were booked as paid out: that is taken back and they are owed.
do $$
declare
  refund record;
  accounts bigint[];
  answer record;
begin
  for refund in
    select r.id, r.agent_id, p.rider_id, p.channel, r.cents,
      case p.became when 'recharge' then 'payment:' || p.id when 'deposit' then 'deposit:' || p.id
        when 'ride' then 'order:' || p.subject_id else 'card:' || p.subject_id end as reference
    from payment_refund r join payment p on p.id = r.payment_id
    where r.state in ('waiting', 'failed') order by r.id
  loop
    accounts := (select o.account_ids from ledger_open(
      refund.agent_id, array['clearing_' || refund.channel, 'refund_payable'], array[0, refund.rider_id]::bigint[],
      array[true, false], now()) o);
    select * into answer from ledger_post_one(
      refund.agent_id, 'adjustment', refund.reference, 'refund_held:' || refund.id, now(), null,
      '{' || array_to_string(accounts, ',') || '}', format('{%s,%s}', -refund.cents, refund.cents), '待付退款');
    if answer.outcome <> 'posted' then
      raise exception 'the refund % cannot be booked as owed: %', refund.id, answer.outcome;
    end if;
  end loop;
end;
$$;
