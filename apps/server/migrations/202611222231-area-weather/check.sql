select 'an hour of an area has one weather' as what, indisunique as ok from pg_index
where indexrelid = 'area_weather_pkey'::regclass;
