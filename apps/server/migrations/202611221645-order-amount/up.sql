-- What an order is sorted and searched by: an order that was never charged counts as 0, so that none is left out.
alter table ride_order add column amount_cents integer not null generated always as (coalesce(charged_cents, 0)) stored;
create index ride_order_area_amount on ride_order (area_id, amount_cents desc, id desc) include (agent_id, cell, placed_at);
create index ride_order_amount on ride_order (amount_cents desc, id desc) include (agent_id, area_id, cell, placed_at);
comment on column ride_order.amount_cents is 'Charged cents; 0 before the charge.';
-- Returns with the highest fee first.
create index return_review_area_fee on return_review (area_id, state, fee_cents desc, order_id desc) include (agent_id);
