select 'foreign keys have an index: ' || i.name as what, to_regclass(i.name) is not null as ok
from unnest(array['gift_lot_agent', 'ad_rider_day_placement', 'ad_day_area']) i (name);

select 'nobody calls what runs with the rights of its owner' as what,
  not has_function_privilege('saddle_app', 'gift_lots_equal_balance()', 'execute') as ok;
