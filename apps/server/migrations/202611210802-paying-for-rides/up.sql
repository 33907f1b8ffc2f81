-- Rides and cards are paid for through a channel too. `subject_id`: the order or the card that the money is for.
alter table payment drop constraint payment_purpose_check;
alter table payment add constraint payment_purpose_check check (purpose in ('recharge', 'deposit', 'ride', 'card'));
alter table payment add column subject_id bigint;
alter table payment add constraint payment_subject_check
  check ((purpose in ('ride', 'card')) = (subject_id is not null));

-- What the money became in the ledger: what it was asked for, or a recharge when that was settled meanwhile. A refund
-- takes it from there.
alter table payment add column became text;
update payment set became = purpose where state = 'paid';
alter table payment add constraint payment_became_check check (
  (state = 'paid') = (became is not null) and (became is null or became in (purpose, 'recharge'))
);

-- What the channel answered, for the rider who asks again before paying.
alter table payment add column parameters jsonb check (length(parameters::text) <= 8000);

create index payment_subject on payment (subject_id, purpose, id) where subject_id is not null;

-- Refunds whose end nobody has heard of yet: they are asked for again.
create index payment_refund_waiting on payment_refund (created_at) where state = 'waiting';
create index payment_refund_agent on payment_refund (agent_id, id desc);
