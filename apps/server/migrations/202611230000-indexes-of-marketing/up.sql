-- Keys that a deletion or a company's totals look for.
create index gift_lot_agent on gift_lot (agent_id, id);
create index ad_rider_day_placement on ad_rider_day (placement_id);
create index ad_day_area on ad_day (area_id);

-- A trigger runs it with the rights of its owner; nobody calls it.
revoke execute on function gift_lots_equal_balance() from public, saddle_app, saddle_system;
