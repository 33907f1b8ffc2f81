alter table money_action
  alter column rider_id drop not null,
  drop constraint money_action_act_check,
  add constraint money_action_act_check
    check (act in ('charge', 'balance_refund', 'deposit_refund', 'card_refund', 'order_refund', 'reward', 'split_correction')),
  -- Only the correction of a bill concerns a company and no rider.
  add constraint money_action_rider_check check ((rider_id is null) = (act = 'split_correction')),
  -- Never done by one person.
  add constraint money_action_correction_check check (act <> 'split_correction' or state <> 'done');
comment on table money_action is 'What operators do with money by hand, at once or after a second approval.';

-- What was requested does not change: who approves, approves what was requested.
revoke update on money_action from saddle_system;
grant update (state, decided_by_id, decided_by, decided_at, note) on money_action to saddle_system;
