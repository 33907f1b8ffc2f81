select 'campaigns keep their versions: ' || tgname as what, tgenabled = 'O' as ok
from pg_trigger where tgname in ('keep_campaign_version_made', 'keep_campaign_version_changed');

set local role saddle_system;
select 'every campaign has its version' as what, not exists (
  select from campaign c where not exists (
    select from campaign_version v where v.campaign_id = c.id and v.version = c.version and v.terms = c.terms)) as ok;
reset role;
