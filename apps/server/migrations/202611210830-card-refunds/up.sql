-- A sold card can be given back: the days that have not begun are paid back, and it lowers no ride any more.
alter table rider_card drop constraint rider_card_state_check;
alter table rider_card add constraint rider_card_state_check
  check (state in ('waiting', 'active', 'over', 'refunded'));
alter table rider_card
  add column refunded_cents bigint not null default 0 check (refunded_cents between 0 and price_cents),
  add column refunded_at timestamptz,
  add column refunded_by text check (char_length(refunded_by) between 1 and 40),
  add column refund_reason text not null default '' check (char_length(refund_reason) <= 120);
alter table rider_card add constraint rider_card_refunded
  check ((state = 'refunded') = (refunded_at is not null) and (state = 'refunded') = (refunded_cents > 0));
