alter table feedback_ticket add column is_waiting boolean not null generated always as (waiting_since is not null) stored;
drop index feedback_ticket_due;
create index feedback_ticket_due on feedback_ticket (is_done, is_waiting, due_at, id) include (agent_id, area_id, state);
