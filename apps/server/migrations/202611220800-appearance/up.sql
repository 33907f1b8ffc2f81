-- Settings of the frame as JSON: the contract knows their names and values, and reads what it does not know as unset.
alter table agent add column layout jsonb not null default '{}' check (jsonb_typeof(layout) = 'object');
alter table operator add column layout jsonb not null default '{}' check (jsonb_typeof(layout) = 'object');

-- Whoever may change a company may change how it looks.
insert into role_permission (role_id, agent_id, code)
select role_id, agent_id, '110102' from role_permission where code = '1101'
on conflict do nothing;
