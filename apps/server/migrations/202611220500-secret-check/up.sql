create table secret_check (
  id integer primary key default 1 check (id = 1),
  digest text not null check (length(digest) between 32 and 100),
  written_at timestamptz not null
);
revoke all on secret_check from saddle_app, saddle_system;
grant select, insert, update on secret_check to saddle_system;
