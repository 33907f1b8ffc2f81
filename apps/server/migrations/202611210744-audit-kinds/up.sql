-- Of hundreds of companies the newest lines of an act or a kind of thing are found over all companies at once too.
create index audit_line_newest_action on audit_line (action, at, id) include (agent_id, area_id);
create index audit_line_newest_kind on audit_line (subject_kind, at, id) include (agent_id, area_id);
