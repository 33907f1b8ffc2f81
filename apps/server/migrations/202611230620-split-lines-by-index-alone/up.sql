-- Of bare columns, and with the kind that the list filters by: row level security keeps the expression from being searched.
drop index split_line_area;
create index split_line_area on split_line (agent_id, area_id, day, entry_number) include (kind);
-- Row policies look at the area.
drop index split_line_rare;
create index split_line_rare on split_line (agent_id, day, entry_number) include (area_id, kind) where kind <> 'ride_charge';
