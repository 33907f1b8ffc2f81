select 'reasons of held income are codes with values' as what,
  not exists (
    select from split_settlement s, jsonb_array_elements(s.held_for) r (reason)
    where r.reason ->> 'code' not in ('channel_difference', 'objection')
  ) as ok;
