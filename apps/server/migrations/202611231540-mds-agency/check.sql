select 'the row policy of ' || relname || ' is forced' as what, relforcerowsecurity as ok
from pg_class
where oid in ('mds_agency'::regclass, 'mds_agency_vehicle'::regclass, 'mds_push'::regclass, 'mds_agency_day'::regclass);

select 'cities are told of events and trips' as what, count(*) = 2 as ok
from pg_trigger where tgfoid in ('tell_cities_of_events'::regproc, 'tell_cities_of_trip'::regproc) and tgenabled = 'O';
