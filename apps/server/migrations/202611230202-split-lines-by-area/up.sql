-- Of a company's areas: the list reads each area's lines as a run of its own, in the order of the days.
create index split_line_area on split_line (agent_id, coalesce(area_id, 0), day, entry_number);
