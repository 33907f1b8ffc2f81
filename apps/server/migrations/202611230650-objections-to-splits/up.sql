alter table objection alter column bill_id drop not null;
-- Of a bill for services, or of a closed day's income.
alter table objection add column split_bill_id bigint;
-- What of disputed income stays in transit; what was settled before is held in the ledger (`held_paid_cents`).
alter table objection add column transit_cents bigint not null default 0;
alter table objection add foreign key (split_bill_id, agent_id) references split_bill (id, agent_id);
alter table objection add constraint objection_bill_kind check (
  (bill_id is null) <> (split_bill_id is null) and (bill_id is null or transit_cents = 0)
  and (split_bill_id is null or back_cents = 0));
alter table objection add constraint objection_held check (transit_cents >= 0 and transit_cents + held_paid_cents <= disputed_cents);
alter table objection drop constraint objection_reason_check;
alter table objection add constraint objection_reason_check check (
  reason in ('quantity', 'price', 'not_ours', 'service_fault', 'income_missing', 'refund_wrong', 'fee_wrong', 'share_wrong', 'other'));
create index objection_split_bill on objection (split_bill_id) where split_bill_id is not null;

create table objection_split_line (
  objection_id bigint not null,
  agent_id bigint not null,
  entry_number bigint not null,
  cents bigint not null check (cents > 0),
  accepted_cents bigint not null default 0 check (accepted_cents between 0 and cents),
  primary key (objection_id, entry_number),
  foreign key (objection_id, agent_id) references objection (id, agent_id),
  foreign key (agent_id, entry_number) references split_line (agent_id, entry_number)
);
comment on table objection_split_line is 'A line of a closed day''s income that an objection is about, and how much of it.';
create index objection_split_line_entry on objection_split_line (agent_id, entry_number);
select enable_tenant_rls('objection_split_line', false);
revoke insert, update, delete, truncate on objection_split_line from saddle_app;
revoke delete, truncate on objection_split_line from saddle_system;

alter table asset_detail drop constraint asset_detail_account_check;
alter table asset_detail add constraint asset_detail_account_check check (account in
  ('service_balance', 'service_held', 'agent_in_transit', 'agent_available', 'agent_disputed', 'agent_withdrawing'));

create or replace function note_asset_detail() returns trigger language plpgsql security definer set search_path = public
as $$
begin
  insert into asset_detail (agent_id, entry_number, kind, account, cents, reference, at)
  select new.agent_id, new.number, new.kind, a.kind, sum(l.cents), new.reference, new.occurred_at
  from unnest(new.account_ids, new.amounts_cents) as l (account_id, cents)
  join ledger_account a on a.id = l.account_id and a.agent_id = new.agent_id and a.kind in
    ('service_balance', 'service_held', 'agent_in_transit', 'agent_available', 'agent_disputed', 'agent_withdrawing')
  group by a.kind having sum(l.cents) <> 0;
  return null;
end
$$;
