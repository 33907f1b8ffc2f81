create index upgrade_action_by_artefact on upgrade_action (artefact_id);
