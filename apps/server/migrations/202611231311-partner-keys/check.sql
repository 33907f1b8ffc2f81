select 'the row policy of ' || relname || ' is forced' as what, relforcerowsecurity as ok
from pg_class where oid in ('partner_key'::regclass, 'partner_key_day'::regclass);

select 'no two keys are one' as what, count(*) = 2 as ok
from pg_constraint where conrelid = 'partner_key'::regclass and contype = 'u' and pg_get_constraintdef(oid) ~ 'hash';
