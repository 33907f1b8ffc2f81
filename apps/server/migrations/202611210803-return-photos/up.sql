-- How a vehicle was left, as its rider shows it: with the return itself, or later with a dispute.
create table return_photo (
  photo_id uuid primary key references photo (id),
  order_id bigint not null,
  agent_id bigint not null,
  area_id bigint not null,
  source text not null check (source in ('return', 'dispute')),
  foreign key (order_id, agent_id, area_id) references ride_order (id, agent_id, area_id)
);
create index return_photo_order on return_photo (order_id);
select enable_tenant_rls('return_photo', true);
revoke update, delete, truncate on return_photo from saddle_app, saddle_system;
