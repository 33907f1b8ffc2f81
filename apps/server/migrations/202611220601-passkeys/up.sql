-- A second way in: a key pair of the person's own device (WebAuthn). The private key never leaves that device.
create table operator_passkey (
  id bigint generated always as identity primary key,
  operator_id bigint not null references operator (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  -- The host name that the passkey was made for; it answers no other.
  rp_id text not null,
  -- How often it was used, by its own word; one that goes backwards was copied. Synced passkeys say 0 for ever.
  use_count bigint not null default 0,
  transports text[] not null default '{}' check (cardinality(transports) <= 10),
  -- Kept by the maker of the device for the person's other devices.
  synced boolean not null,
  name text not null check (char_length(name) between 1 and 40),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index operator_passkey_operator on operator_passkey (operator_id);
revoke all on operator_passkey from saddle_app;

alter table session drop constraint session_login_kind_check;
alter table session add constraint session_login_kind_check
  check (login_kind in ('sms', 'phone', 'quick', 'passkey'));
