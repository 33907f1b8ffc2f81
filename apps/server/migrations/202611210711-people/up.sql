-- Goes up with each change, so that a change made from an old reading is refused.
alter table role
  add column description text not null default '' check (char_length(description) <= 200),
  add column version integer not null default 1 check (version > 0),
  add column updated_at timestamptz not null default now(),
  -- As it was then: people are renamed and leave.
  add column updated_by text check (char_length(updated_by) between 1 and 40);
-- From a code to everybody who has it.
create index role_permission_code on role_permission (code, role_id);

-- Who leaves keeps a name, for what they did; the number is forgotten and free for somebody else.
alter table operator
  add column version integer not null default 1 check (version > 0),
  add column support_account text unique check (char_length(support_account) between 3 and 40),
  add column removed_at timestamptz,
  alter column phone_hash drop not null,
  alter column phone_sealed drop not null,
  drop constraint operator_state_check,
  add constraint operator_state_check check (state in ('enabled', 'disabled', 'removed')),
  add constraint operator_removed_check check (
    case when state = 'removed'
      then phone_hash is null and phone_sealed is null and role_id is null and removed_at is not null
      else phone_hash is not null and phone_sealed is not null and removed_at is null
    end
  );
create index operator_list on operator (agent_id, level, id) where state <> 'removed';

-- Franchisers: whom a company answers to, by phone.
create table ally (
  id bigint generated always as identity primary key,
  agent_id bigint not null references agent (id),
  name text not null check (char_length(name) between 1 and 40),
  phone_sealed text not null,
  phone_hash text not null,
  note text not null default '' check (char_length(note) <= 200),
  created_at timestamptz not null,
  -- As it was then.
  created_by text not null check (char_length(created_by) between 1 and 40),
  unique (agent_id, phone_hash)
);
select enable_tenant_rls('ally', false);
