-- A list over a million vehicles looks at a hundred thousand rows. `= any (array)` goes through the array for each of
-- them, and somebody who sees hundreds of areas waits for it; a sub-select is hashed once. Whoever sees a few keeps the
-- array, which is sooner there than a hash table.
do $$
declare
  name text;
  visible text;
begin
  visible := (
    select string_agg(format(
      'case when (select cardinality(%2$s())) > 16 then %1$s in (select unnest(%2$s())) else %1$s = any ((select %2$s())::bigint[]) end',
      c, f), ' and ')
    from (values ('agent_id', 'app_agent_ids'), ('area_id', 'app_area_ids')) as part (c, f));
  foreach name in array array['vehicle', 'vehicle_status', 'device', 'vehicle_alarm', 'task'] loop
    execute format('alter policy tenant on %I using (%s) with check (%s)', name, visible, visible);
  end loop;
end
$$;

-- People read the last digits off a plate: the start of the number read backwards. `right(number, 4)` could not be looked
-- for behind row level security, because nobody vouches that the function tells nothing of rows that are not shown;
-- comparisons in byte order do.
alter table vehicle add column number_backwards text not null generated always as (reverse(number)) stored;
create index vehicle_number_end on vehicle (number_backwards collate "C");
