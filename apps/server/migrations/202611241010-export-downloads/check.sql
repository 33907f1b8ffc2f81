select 'a file knows when its fetching was noted' as what, count(*) = 1 as ok
from information_schema.columns
where table_name = 'export_job' and column_name = 'downloaded_at' and is_nullable = 'YES';
