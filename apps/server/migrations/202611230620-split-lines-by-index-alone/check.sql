select 'lines of an area are found by bare columns' as what, indisvalid and indexprs is null and indnkeyatts = 4 and indnatts = 5 as ok
from pg_index where indexrelid = 'split_line_area'::regclass;

select 'rare lines are counted by their index alone' as what, indisvalid and indnatts = 5 as ok
from pg_index where indexrelid = 'split_line_rare'::regclass;
