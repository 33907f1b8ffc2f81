select 'the row policy of wall_screen is forced' as what, relforcerowsecurity as ok
from pg_class where oid = 'wall_screen'::regclass;

select 'requests cannot read codes of screens' as what, not has_table_privilege('saddle_app', 'screen_pairing', 'select') as ok;

select 'sessions of screens name their screen' as what, convalidated as ok
from pg_constraint where conname = 'session_screen';
