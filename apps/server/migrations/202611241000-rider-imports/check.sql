select 'a file is brought once' as what, exists (
  select from pg_indexes where tablename = 'rider_import' and indexname = 'rider_import_file'
) as ok;

select 'riders of another system are no new customers' as what, exists (
  select from pg_trigger where tgname = 'fact_rider_new' and tgqual is not null
) as ok;
