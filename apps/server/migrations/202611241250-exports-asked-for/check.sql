select 'a file knows whether it was asked for' as what, count(*) = 1 as ok
from information_schema.columns
where table_name = 'export_job' and column_name = 'is_asked' and is_nullable = 'NO'
union all
select 'files of schedules were asked for by nobody', count(*) = 0
from export_job e join report_delivery d on d.export_id = e.export_id where e.is_asked;
