select 'limits by telephone are above zero' as what,
  not exists (select from activity where device_uses <= 0) and not exists (select from coupon_template where device_max <= 0) as ok;
