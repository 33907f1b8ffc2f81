-- A fence is a line of versions. Names may change from version to version, so that the line has a number of its own: the
-- id of its first version.
alter table fence add column line_id bigint not null default 0;
alter table fence add column holes jsonb not null default '[]'
  check (jsonb_typeof(holes) = 'array' and jsonb_array_length(holes) <= 20);
alter table fence add constraint fence_holes_within check (ring is not null or holes = '[]');
-- Minutes of the business day between which a parking place takes vehicles; both null: always. 1320 to 360 is the night.
alter table fence add column opens_minute smallint check (opens_minute between 0 and 1439);
alter table fence add column closes_minute smallint check (closes_minute between 0 and 1439);
alter table fence add constraint fence_hours_paired check (
  (opens_minute is null) = (closes_minute is null) and opens_minute is distinct from closes_minute or opens_minute is null
);
-- Who made this version, and why. Names and no references: the version outlives the person.
alter table fence add column author_name text not null default '' check (char_length(author_name) <= 40);
alter table fence add column note text not null default '' check (char_length(note) <= 200);
-- The version that this one brought back.
alter table fence add column restored_from integer check (restored_from between 1 and version - 1);
-- Who took the fence away, and why; null while the version is in force, and where another followed it.
alter table fence add column removed_by text check (char_length(removed_by) <= 40);
alter table fence add column removed_note text check (char_length(removed_note) <= 200);
alter table fence add constraint fence_removed_paired check (
  (removed_by is null) = (removed_note is null) and (removed_by is null or valid_to is not null)
);

update fence f set line_id = (
  select min(g.id) from fence g where g.area_id = f.area_id and g.kind = f.kind and (g.name = f.name or f.kind = 'service_area')
);
-- A first version says nothing of a line and begins one.
create function begin_fence_line() returns trigger language plpgsql as $$
begin
  new.line_id := coalesce(nullif(new.line_id, 0), new.id);
  return new;
end $$;
create trigger fence_line before insert on fence for each row execute function begin_fence_line();

alter table fence drop constraint fence_area_id_kind_name_version_key;
create unique index fence_versions on fence (line_id, version);
create unique index fence_line_in_force on fence (line_id) where valid_to is null;
create index fence_lines on fence (area_id, kind, valid_from desc);

-- A fence or an area's outline has changed: each server reads the new rows twice a second and reads those areas anew.
-- `xid` and not `id` says what is new: a transaction that began earlier may commit later.
create table fence_change (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  changed_area_id bigint not null,
  at timestamptz not null default now()
);
create index fence_change_xid on fence_change (xid);
create index fence_change_at on fence_change (at);
revoke all on fence_change from saddle_app, saddle_system;
grant insert (changed_area_id) on fence_change to saddle_app, saddle_system;
grant select, delete on fence_change to saddle_system;

-- The database itself says so, because whoever forgot to would leave riders judged by an old fence.
create function note_fence_change() returns trigger language plpgsql as $$
begin
  insert into fence_change (changed_area_id) select distinct area_id from changed;
  return null;
end $$;
create trigger fence_added after insert on fence referencing new table as changed
  for each statement execute function note_fence_change();
create trigger fence_changed after update on fence referencing new table as changed
  for each statement execute function note_fence_change();
create trigger fence_dropped after delete on fence referencing old table as changed
  for each statement execute function note_fence_change();

create function note_area_change() returns trigger language plpgsql as $$
begin
  insert into fence_change (changed_area_id) select distinct id from changed;
  return null;
end $$;
create trigger area_added after insert on service_area referencing new table as changed
  for each statement execute function note_area_change();
create trigger area_changed after update on service_area referencing new table as changed
  for each statement execute function note_area_change();
create trigger area_dropped after delete on service_area referencing old table as changed
  for each statement execute function note_area_change();

-- Areas from before boundaries were fences.
insert into fence (
  agent_id, area_id, kind, name, ring, centre_lat, centre_lng, west, south, east, north, valid_from)
select a.agent_id, a.id, 'service_area', a.name, a.ring, a.centre_lat, a.centre_lng,
  box.west, box.south, box.east, box.north, a.created_at
from service_area a, lateral (
  select min((corner ->> 0)::float8) as west, max((corner ->> 0)::float8) as east,
    min((corner ->> 1)::float8) as south, max((corner ->> 1)::float8) as north
  from jsonb_array_elements(a.ring) as corner
) box
where not exists (select from fence f where f.area_id = a.id and f.kind = 'service_area' and f.valid_to is null);

-- Where vehicles were left in an area of late: what a change of its fences would have meant.
create index return_check_area on return_check (area_id, checked_at) where accepted;
