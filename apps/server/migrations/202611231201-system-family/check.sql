select 'riders of a system are found by the index alone' as what, indisvalid as ok
from pg_index where indexrelid = 'rider_device_family'::regclass;

set local role saddle_system;
select 'the family of a system is that of its text' as what, not exists (
  select from rider_device where (system_family = 'ios') <> (system ilike 'ios%')
    or (system_family = 'android') <> (system ilike 'android%')
    or (system_family = 'harmony') <> (system ilike 'harmony%')) as ok;
reset role;
