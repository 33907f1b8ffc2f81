-- Times of facts that are older than facts_at, and of the latest words on alarms: what gives a late report its place.
-- Null for a vehicle that says everything in time.
alter table vehicle_status add column told jsonb check (jsonb_typeof(told) = 'object' and length(told::text) <= 8000);

-- From now on silence opens an alarm; what is silent already has one as well.
insert into vehicle_alarm (vehicle_id, agent_id, area_id, kind, opened_at, last_at)
select v.id, v.agent_id, v.area_id, 'offline', v.state_changed_at, v.state_changed_at
from vehicle v where v.state = 'non_contactable'
on conflict (vehicle_id, kind) where closed_at is null do nothing;

-- A step that MDS does not know is refused by the database too.
create table vehicle_transition (
  event text not null,
  from_state text not null,
  to_state text not null,
  primary key (event, from_state, to_state)
);
grant select on vehicle_transition to saddle_app, saddle_system;
revoke insert, update, delete, truncate on vehicle_transition from saddle_app, saddle_system;

insert into vehicle_transition (event, from_state, to_state)
select event, from_state, to_state
from (values
  ('battery_low', '{available}', 'non_operational'),
  ('maintenance', '{available}', 'non_operational'),
  ('off_hours', '{available}', 'non_operational'),
  ('system_suspend', '{available}', 'non_operational'),
  ('unspecified', '{available,non_contactable,missing}', 'non_operational'),
  ('battery_charged', '{non_operational}', 'available'),
  ('maintenance', '{non_operational}', 'available'),
  ('on_hours', '{non_operational}', 'available'),
  ('system_resume', '{non_operational}', 'available'),
  ('unspecified', '{non_operational,non_contactable,missing}', 'available'),
  ('reservation_start', '{available}', 'reserved'),
  ('reservation_cancel', '{reserved}', 'available'),
  ('trip_start', '{available,reserved}', 'on_trip'),
  ('trip_end', '{on_trip}', 'available'),
  ('trip_cancel', '{on_trip}', 'available'),
  ('trip_leave_jurisdiction', '{on_trip}', 'elsewhere'),
  ('trip_enter_jurisdiction', '{elsewhere}', 'on_trip'),
  ('changed_geographies', '{on_trip}', 'on_trip'),
  ('unspecified', '{non_contactable,missing}', 'on_trip'),
  ('unspecified', '{non_contactable,missing}', 'reserved'),
  ('unspecified', '{non_contactable,missing}', 'elsewhere'),
  ('compliance_pick_up', '{available,non_operational,elsewhere}', 'removed'),
  ('maintenance_pick_up', '{available,non_operational,elsewhere}', 'removed'),
  ('rebalance_pick_up', '{available,non_operational,elsewhere}', 'removed'),
  ('agency_pick_up', '{available,non_operational,elsewhere,non_contactable,missing}', 'removed'),
  ('decommissioned', '{available,non_operational,elsewhere,non_contactable,missing}', 'removed'),
  ('unspecified', '{available,non_operational,elsewhere,non_contactable,missing}', 'removed'),
  ('agency_drop_off', '{removed,non_contactable,missing}', 'available'),
  ('provider_drop_off', '{removed,non_contactable,missing}', 'available'),
  ('comms_lost', '{available,elsewhere,non_operational,on_trip,removed,reserved}', 'non_contactable'),
  ('unspecified', '{available,elsewhere,non_operational,on_trip,removed,reserved}', 'non_contactable'),
  ('not_located', '{non_contactable}', 'missing'),
  ('unspecified', '{non_contactable}', 'missing')
) as step (event, from_states, to_state), unnest(from_states::text[]) as from_state
union all
select event, from_state, to_state
from (values ('comms_restored', 'non_contactable'), ('located', 'missing')) as step (event, from_state),
  unnest('{available,elsewhere,non_operational,on_trip,removed,reserved}'::text[]) as to_state;

-- Not valid: what is written already stays as it was written.
alter table vehicle_event add constraint vehicle_event_transition
  foreign key (event, from_state, to_state) references vehicle_transition not valid;

-- Events are appended and never changed, not even by the owner of the table.
create function refuse_change() returns trigger language plpgsql
as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger vehicle_event_append_only before update or delete or truncate on vehicle_event
  for each statement execute function refuse_change();
