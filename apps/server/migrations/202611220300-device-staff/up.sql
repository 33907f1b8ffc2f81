alter table device
  -- Until then a JT/T 808 terminal may register; null: staff have not opened it.
  add column registration_open_until timestamptz,
  -- Counts the secrets that the device has had; each is derived from this number and its IMEI.
  add column secret_generation integer not null default 0 check (secret_generation between 0 and 1000000),
  -- Nothing ever wrote it: secrets are derived and not kept.
  drop column secret_hash;

-- What a JT/T 808 terminal names when it registers. Written without spaces, in capitals.
alter table vehicle add column plate text check (plate ~ '^[^[:space:]]{1,20}$');
create unique index vehicle_plate on vehicle (plate) where plate is not null;

-- A device that nobody registered is the platform's to decide on. One that is registered, and called with a wrong
-- secret or over another protocol, belongs to whoever has its vehicle.
alter table unknown_device
  add column agent_id bigint,
  add column area_id bigint,
  add column state text not null default 'open' check (state in ('open', 'refused', 'accepted')),
  add column decided_at timestamptz,
  add column decided_by bigint,
  -- As it was then: operators are renamed and leave.
  add column decided_by_name text,
  add column decision_reason text check (char_length(decision_reason) between 1 and 200),
  add constraint unknown_device_decided check
    ((state = 'open') = (decided_at is null) and (state = 'open') = (decided_by is null)
      and (state = 'open') = (decided_by_name is null) and (state = 'refused') <= (decision_reason is not null));

update unknown_device u set agent_id = d.agent_id, area_id = d.area_id
from device d where d.imei = u.imei or d.terminal_number = u.imei;
update unknown_device set agent_id = (select id from agent where parent_id is null order by id limit 1)
where agent_id is null;
delete from unknown_device where agent_id is null;

alter table unknown_device
  alter column agent_id set not null,
  add foreign key (agent_id) references agent (id);
create index unknown_device_seen on unknown_device (agent_id, state, last_seen_at desc, imei);
select enable_tenant_rls('unknown_device', true);
-- Whoever decides reads rows and changes their state; the gateway alone writes them.
grant select, update on unknown_device to saddle_app;
