select 'commands of riders are found by time' as what, count(*) = 1 as ok
from pg_indexes where tablename = 'vehicle_command' and indexname = 'vehicle_command_riders';
