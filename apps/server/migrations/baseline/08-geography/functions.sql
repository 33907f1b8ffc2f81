-- A first version says nothing of a line and begins one.
create function begin_fence_line() returns trigger language plpgsql as $$
begin
  new.line_id := coalesce(nullif(new.line_id, 0), new.id);
  return new;
end $$;
create trigger fence_line before insert on fence for each row execute function begin_fence_line();

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
