select 'upgrades are found by their artefact' as what, indisvalid as ok
from pg_index where indexrelid = 'upgrade_action_by_artefact'::regclass;
