-- The list of uses is read by time, within a company or over all.
create index activity_use_agent on activity_use (agent_id, used_at desc, id desc);
create index activity_use_list on activity_use (used_at desc, id desc) include (agent_id);

-- The activity whose rewards a batch counts.
alter table coupon_batch
  add column activity_id bigint,
  add constraint coupon_batch_activity foreign key (activity_id, agent_id) references activity (id, agent_id),
  add constraint coupon_batch_activity_source check (activity_id is null or source = 'rewards');
create index coupon_batch_activity on coupon_batch (activity_id) where activity_id is not null;

-- Batches of before that count the rewards of one activity alone.
update coupon_batch b set activity_id = w.activity_id
from (
  select c.batch_id, min(r.activity_id) as activity_id
  from reward r join coupon c on c.id = any (r.coupon_ids)
  where r.kind = 'coupon'
  group by c.batch_id
  having count(distinct r.activity_id) = 1 and count(r.activity_id) = count(*)
) w
where b.id = w.batch_id and b.source = 'rewards';
