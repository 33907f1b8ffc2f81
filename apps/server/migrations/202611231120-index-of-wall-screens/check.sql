select 'screens are found by their company, removed ones too' as what, indisvalid as ok
from pg_index where indexrelid = 'wall_screen_agent_id'::regclass;
