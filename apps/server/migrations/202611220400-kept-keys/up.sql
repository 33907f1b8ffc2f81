-- A key of an earlier master secret for one purpose, sealed with the present one. The id names the key, not its content.
create table kept_key (
  id bigint generated always as identity primary key,
  purpose text not null check (char_length(purpose) between 1 and 60),
  key_id text not null check (char_length(key_id) = 8),
  key_sealed text not null,
  kept_at timestamptz not null default now(),
  unique (purpose, key_id)
);
revoke all on kept_key from saddle_app;
