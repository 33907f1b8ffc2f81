alter table recharge_use drop constraint recharge_use_why_check;
alter table recharge_use add constraint recharge_use_why_check check (
  why in ('not_on', 'budget_spent', 'rider_cap', 'rider_day_cap', 'device_cap', 'not_first', 'held_out', 'reward', 'prepaid_cap')
);
