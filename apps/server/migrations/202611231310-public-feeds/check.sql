select 'the row policy of ' || relname || ' is forced' as what, relforcerowsecurity as ok
from pg_class where oid in ('gbfs_setting'::regclass, 'gbfs_feed'::regclass, 'gbfs_reader'::regclass);

select 'a published feed has a body, a tag and a time' as what, count(*) = 1 as ok
from pg_constraint where conrelid = 'gbfs_feed'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%etag IS NULL%';
