-- Coupons of one moment are written by rising id: an index that descends puts each new one before all others of the
-- moment and leaves half-empty pages behind. Read backwards, an index that rises has the same order.
drop index coupon_agent, coupon_time, coupon_of_template, coupon_of_batch;
create index coupon_agent on coupon (agent_id, state, issued_at, id);
create index coupon_time on coupon (state, issued_at, id) include (agent_id);
create index coupon_of_template on coupon (template_id, agent_id, state, issued_at, id);
create index coupon_of_batch on coupon (batch_id, agent_id, state, issued_at, id);
drop index campaign_rider_list;
create index campaign_rider_list on campaign_rider (campaign_id, outcome, at, rider_id);

-- Nothing refers to a coupon and its company.
alter table coupon drop constraint coupon_id_agent_id_key;

-- A batch has one version of one kind: one reference holds both for its coupons.
alter table coupon_batch add unique (id, template_id, version, agent_id);
alter table coupon
  drop constraint coupon_batch_id_agent_id_fkey,
  drop constraint coupon_template_id_version_agent_id_fkey,
  add foreign key (batch_id, template_id, version, agent_id) references coupon_batch (id, template_id, version, agent_id);
