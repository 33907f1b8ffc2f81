create or replace function add_production_units() returns trigger language plpgsql
as $$
declare
  -- The import of a batch names it for its own transaction: then its vehicles have the numbers of their parts at once.
  batch bigint := nullif(current_setting('app.import_id', true), '')::bigint;
begin
  if batch is null then
    insert into production_unit (vehicle_id, agent_id, area_id, stage, made_at, activated_at)
    select id, agent_id, area_id, case state when 'removed' then 'made' else 'activated' end, created_at,
      case state when 'removed' then null else created_at end
    from added;
  else
    insert into production_unit (vehicle_id, agent_id, area_id, import_id, serial, mac, iccid, stage, made_at)
    select a.id, a.agent_id, a.area_id, batch, nullif(r.serial, ''), nullif(r.mac, ''), nullif(r.iccid, ''), 'made', a.created_at
    from added a join vehicle_import_row r on r.number = a.number
    where r.import_id = batch and not r.is_bad;
  end if;
  return null;
end
$$;
