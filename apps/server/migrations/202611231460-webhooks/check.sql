select 'the row policy of ' || relname || ' is forced' as what, relforcerowsecurity as ok
from pg_class where oid in ('webhook'::regclass, 'webhook_delivery'::regclass);

select 'webhooks are told of every kind of event' as what, count(distinct tgrelid) = 7 and count(*) = 13 as ok
from pg_trigger where tgfoid in ('tell_webhooks_of_new'::regproc, 'tell_webhooks_of_change'::regproc) and tgenabled = 'O';
