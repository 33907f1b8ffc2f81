select 'lines of an area are found in the order of their days' as what, indisvalid as ok
from pg_index where indexrelid = 'split_line_area'::regclass;
