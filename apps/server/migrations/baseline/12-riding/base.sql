-- State and amount as one small number, so that any choice of both is a list of numbers that an index knows. The same
-- mapping stands in contract/riding/orders.ts.
create function order_cell(state text, cents bigint) returns smallint language sql immutable parallel safe
return (
  array_position(array['reserved', 'unlocking', 'riding', 'paused', 'returning', 'cancelled', 'failed', 'due', 'paid',
    'part_refunded', 'refunded'], state) * 16
  + case when coalesce(cents, 0) = 0 then 0 when cents < 200 then 1 when cents < 300 then 2 when cents < 500 then 3
    when cents < 1000 then 4 when cents < 2000 then 5 when cents < 5000 then 6 else 7 end
)::smallint;
