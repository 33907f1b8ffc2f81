select 'MDS 2.0 has 85 transitions' as what, count(*) = 85 as ok from vehicle_transition;

select 'the transitions stay as they are' as what,
  not has_table_privilege('saddle_app', 'vehicle_transition', 'insert')
  and not has_table_privilege('saddle_system', 'vehicle_transition', 'delete') as ok;

select 'events are only appended' as what,
  not has_table_privilege('saddle_system', 'vehicle_event', 'update')
  and exists (select from pg_trigger where tgname = 'vehicle_event_append_only') as ok;

select 'whatever is silent has an alarm' as what, not exists (
  select from vehicle v where v.state = 'non_contactable' and not exists (
    select from vehicle_alarm a where a.vehicle_id = v.id and a.kind = 'offline' and a.closed_at is null)) as ok;
