select 'reports of riders name no inspection' as what, not exists (
  select from fault_report where source = 'rider' and (person_name is not null or inspection_id is not null)) as ok;
