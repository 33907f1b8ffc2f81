-- Versions are never changed nor removed. One that has not begun yet can be taken back by a row beside it.
create table price_withdrawal (
  version_id bigint primary key,
  agent_id bigint not null,
  area_id bigint not null,
  withdrawn_at timestamptz not null,
  withdrawn_by_id bigint not null,
  withdrawn_by text not null check (char_length(withdrawn_by) between 1 and 40),
  foreign key (version_id, agent_id, area_id) references price_version (id, agent_id, area_id)
);
select enable_tenant_rls('price_withdrawal', true);
revoke update, delete, truncate on price_withdrawal from saddle_app, saddle_system;
