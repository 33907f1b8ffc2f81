create table photo (
  id uuid primary key,
  agent_id bigint not null references agent (id),
  area_id bigint,
  -- Whose it is: an id alone does not make a rider's certificate a parking place's photo.
  purpose text not null check (purpose ~ '^[a-z_]{3,30}$'),
  kind text not null check (kind in ('jpeg', 'png', 'webp')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  sealed bytea not null check (octet_length(sealed) between 1 and 410000),
  kept_at timestamptz not null,
  -- Since when nothing shows it: it came ahead of what it belongs to, or that is gone. Null: something does.
  unattached_since timestamptz,
  foreign key (area_id, agent_id) references service_area (id, agent_id)
);
comment on table photo is 'Photo of any domain, checked, stripped of camera data and sealed.';
-- Photos are compressed and sealed: to compress them once more costs and gains nothing.
alter table photo alter column sealed set storage external;
create index photo_agent on photo (agent_id, area_id);
create index photo_area on photo (area_id) where area_id is not null;
create index photo_unattached on photo (unattached_since) where unattached_since is not null;
select enable_tenant_rls('photo', true);
revoke update, delete, truncate on photo from saddle_app, saddle_system;
grant update (unattached_since) on photo to saddle_app, saddle_system;
grant delete on photo to saddle_system;
