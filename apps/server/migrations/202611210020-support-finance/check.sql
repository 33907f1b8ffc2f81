select relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid in ('financial_account'::regclass, 'chat_conversation'::regclass, 'chat_message'::regclass);
