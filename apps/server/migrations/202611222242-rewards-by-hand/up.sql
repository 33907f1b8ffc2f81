-- Numbers the occasions on which people give rewards by hand: one for all riders of a list.
create sequence reward_hand start with 1001;
grant usage on sequence reward_hand to saddle_system;

alter table money_action
  drop constraint money_action_act_check,
  add constraint money_action_act_check
    check (act in ('charge', 'balance_refund', 'deposit_refund', 'card_refund', 'order_refund', 'reward'));
