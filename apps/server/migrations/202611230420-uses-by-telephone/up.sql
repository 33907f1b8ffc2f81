alter table activity add column device_uses integer check (device_uses > 0);
alter table coupon_template add column device_max integer check (device_max > 0);

alter table recharge_use drop constraint recharge_use_why_check;
alter table recharge_use add constraint recharge_use_why_check check (
  why in ('not_on', 'budget_spent', 'rider_cap', 'rider_day_cap', 'device_cap', 'not_first', 'held_out', 'reward')
);
