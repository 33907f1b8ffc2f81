-- What a person did, or what became of a thing, is few lines whoever's they are: found newest first over all companies,
-- and judged by the company that stands beside the key. The newest of all companies likewise.
drop index audit_line_operator, audit_line_subject;
create index audit_line_operator on audit_line (operator_id, at, id) include (agent_id, area_id);
create index audit_line_subject on audit_line (subject_kind, subject_id, at, id) include (agent_id, area_id);
create index audit_line_newest on audit_line (at, id) include (agent_id, area_id);
alter table audit_mention drop constraint audit_mention_pkey,
  add primary key (subject_kind, subject_id, at, line_id) include (agent_id);

-- A search over thousands of companies looks at a hundred thousand keys. `= any (array)` goes through the array for
-- each of them; a sub-select is hashed once.
alter policy tenant on audit_line
  using (agent_id in (select unnest(app_agent_ids()))) with check (agent_id in (select unnest(app_agent_ids())));
alter policy tenant on audit_mention
  using (agent_id in (select unnest(app_agent_ids()))) with check (agent_id in (select unnest(app_agent_ids())));
