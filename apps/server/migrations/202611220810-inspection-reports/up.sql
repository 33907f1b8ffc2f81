-- Who found it, and by which inspection; empty where a rider says it.
alter table fault_report add column person_name text check (char_length(person_name) between 1 and 40),
  add column inspection_id bigint,
  add constraint fault_report_found_by_inspection
    check (source = 'inspection' or (person_name is null and inspection_id is null));
create index fault_report_found on fault_report (area_id, reported_at desc, id desc) where source = 'inspection';
