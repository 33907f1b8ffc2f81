create table report_fresh (
  id smallint primary key default 1 check (id = 1),
  at timestamptz not null
);
comment on table report_fresh is 'Every change before this moment is in the figures of reports; one row, the same for every company.';
revoke insert, update, delete, truncate on report_fresh from saddle_app;
revoke delete, truncate on report_fresh from saddle_system;
