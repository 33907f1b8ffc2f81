alter table rider_device add column system_family text not null generated always as (
  case
    when system ilike 'ios%' then 'ios'
    when system ilike 'android%' then 'android'
    when system ilike 'harmony%' then 'harmony'
    else 'other'
  end) stored;
alter table rider_device add constraint rider_device_system_family_check
  check (system_family in ('ios', 'android', 'harmony', 'other'));
create index rider_device_family on rider_device (agent_id, system_family, rider_id) include (app_id);
