drop index rider_card_agent;
create index rider_card_agent on rider_card (agent_id, state, asked_at desc, id desc);
drop index rider_card_list;
create index rider_card_list on rider_card (state, asked_at desc, id desc) include (agent_id);
drop index rider_card_product;
create index rider_card_product on rider_card (product_id, agent_id, state, asked_at desc, id desc);
