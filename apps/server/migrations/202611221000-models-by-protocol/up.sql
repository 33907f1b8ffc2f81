-- A maker sells one model with terminals of several protocols: each has its own profile.
alter table vehicle_model drop constraint vehicle_model_pkey;
alter table vehicle_model add primary key (name, protocol);

-- The platform's people who look after the secrets of devices look after the profiles of models, too.
insert into role_permission (role_id, agent_id, code)
select has.role_id, has.agent_id, '030803' from role_permission has
join agent on agent.id = has.agent_id and agent.parent_id is null
where has.code = '030802'
on conflict do nothing;
