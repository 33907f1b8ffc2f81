import { lineFormat } from './format.ts'

export interface OpenList {
  readonly file: string
  /** What `copy … to stdout` takes, with its format. */
  readonly copy: string
}

const csv = '(format csv, header)'

/** The same data once more, for spreadsheets and maps. The import reads the tables. */
export function openLists(agentIds: readonly number[]): OpenList[] {
  const ids = agentIds.join(', ')
  const list = (file: string, query: string): OpenList => ({ file, copy: `copy (${query}) to stdout ${csv}` })
  const map = (file: string, rows: string): OpenList => ({
    file,
    copy: `copy (
      select json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(f.feature), '[]'))::text
      from (${rows}) f) to stdout ${lineFormat}`,
  })
  return [
    map(
      'areas.geojson',
      `select json_build_object('type', 'Feature',
          'properties', json_build_object('id', id, 'company', agent_id, 'name', name, 'state', state),
          'geometry', json_build_object('type', 'Polygon', 'coordinates', json_build_array(ring))) as feature
        from service_area where agent_id in (${ids}) order by id`,
    ),
    map(
      'fences.geojson',
      `select json_build_object('type', 'Feature',
          'properties', json_build_object('id', line_id, 'area', area_id, 'kind', kind, 'name', name, 'version', version,
            'radiusM', radius_m, 'capacity', capacity, 'validFrom', valid_from),
          'geometry', case when ring is null
            then json_build_object('type', 'Point', 'coordinates', json_build_array(centre_lng, centre_lat))
            else json_build_object('type', 'Polygon', 'coordinates', (jsonb_build_array(ring) || holes)) end) as feature
        from fence where agent_id in (${ids}) and valid_to is null order by id`,
    ),
    list(
      'vehicles.csv',
      `select v.id, v.number, v.model, v.protocol, d.imei, v.plate, v.state, a.name as area, s.lat, s.lng, s.battery_percent, v.created_at
        from vehicle v join service_area a on a.id = v.area_id
        left join device d on d.vehicle_id = v.id left join vehicle_status s on s.vehicle_id = v.id
        where v.agent_id in (${ids}) order by v.id`,
    ),
    list(
      'rides.csv',
      `select id, area_id, vehicle_number, rider_id, state, placed_at, started_at, ended_at, distance_m, charged_cents, refunded_cents
        from ride_order where agent_id in (${ids}) order by id`,
    ),
    list(
      'ledger.csv',
      `select e.agent_id, e.number, e.kind, e.reference, e.occurred_at, e.memo, a.kind as account, a.owner_id, p.cents
        from ledger_entry e cross join unnest(e.account_ids, e.amounts_cents) p (account_id, cents)
        join ledger_account a on a.id = p.account_id
        where e.agent_id in (${ids}) order by e.agent_id, e.number`,
    ),
    list(
      'balances.csv',
      `select a.agent_id, a.kind as account, a.owner_id, b.balance_cents
        from ledger_balance b join ledger_account a on a.id = b.account_id
        where a.agent_id in (${ids}) order by a.agent_id, a.kind, a.owner_id`,
    ),
  ]
}
