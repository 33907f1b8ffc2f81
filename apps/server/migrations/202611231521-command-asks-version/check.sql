select 'a command may ask for the version' as what, count(*) = 1 as ok
from pg_constraint where conrelid = 'vehicle_command'::regclass and conname = 'vehicle_command_kind_check'
  and pg_get_constraintdef(oid) like '%ask_version%';
