select 'the row policy of ' || relname || ' is forced' as what, relforcerowsecurity as ok
from pg_class where oid in ('device_artefact'::regclass, 'device_artefact_content'::regclass, 'upgrade_campaign'::regclass,
  'upgrade_action'::regclass, 'upgrade_step'::regclass);

select 'a vehicle has one open upgrade' as what, indisunique and indisvalid as ok
from pg_index where indexrelid = 'upgrade_action_open'::regclass;

select 'no ride begins on a vehicle whose device is being upgraded' as what, tgenabled = 'O' as ok
from pg_trigger where tgname = 'ride_order_not_during_upgrade';
