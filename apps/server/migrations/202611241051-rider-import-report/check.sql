select 'a file is brought once' as what, exists (
  select from pg_indexes where tablename = 'rider_import' and indexname = 'rider_import_file' and indexdef like '%committed%'
) as ok;

select 'batches that wait are found by their age' as what, exists (
  select from pg_indexes where tablename = 'rider_import' and indexname = 'rider_import_waiting'
) as ok;
