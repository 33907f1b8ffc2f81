import { sql } from 'kysely'
import { deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { iccidOf, macOf } from '@saddle/contract/production/importWords.ts'
import { unitList, unitStages } from '@saddle/contract/production/units.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { tableList } from '#kit/list/tableList.ts'

/** The batch is shown to whom it belongs: a vehicle that was delivered to another company keeps its number there. */
const unitColumns = (scope: Scope) =>
  rowsOf(
    rowOf('production_unit', 'u', [
      'vehicle_id as id',
      'agent_id',
      'area_id',
      'serial',
      'mac',
      'iccid',
      'stage',
      'made_at',
      'tested_at',
      'delivered_at',
      'activated_at',
      'retired_at',
    ]),
    rowOf('vehicle', 'v', ['number', 'model', 'protocol', 'state']),
    rowOf('device', 'd', ['imei', 'firmware']),
    rowOf('vehicle_status', 's', ['heard_at']),
    rowOf('agent', 'agent', ['company']),
    rowOf('service_area', 'area', ['name as area_name']),
    rowOfValues({
      import_id: computed(
        'bigint?',
        sql`(select i.id from vehicle_import i where i.id = u.import_id and ${tenantFilter('i', scope)})`,
      ),
      batch: computed(
        'text?',
        sql`(select i.name from vehicle_import i where i.id = u.import_id and ${tenantFilter('i', scope)})`,
      ),
    }),
  ).codes({ stage: unitStages, protocol: deviceProtocols, state: vehicleStates })

/** Any scope gives the same columns; only their conditions differ. */
export const presentUnit = unitColumns({ agentIds: [], areaIds: [], operatorId: null }).present

const named = (text: string) => sql`u.vehicle_id in (
  select x.id from vehicle x where x.number = upper(${text})
  union all select x.vehicle_id from device x where x.imei = ${text}
  union all select x.vehicle_id from production_unit x
    where x.serial = ${text} or x.mac = ${macOf(text)} or x.iccid = ${iccidOf(text)})`

export const unitRows = tableList(unitList, {
  table: 'production_unit',
  alias: 'u',
  id: 'vehicle_id',
  tenant: 'area',
  columns: unitColumns,
  joins: sql`
    join vehicle v on v.id = u.vehicle_id join device d on d.vehicle_id = u.vehicle_id
    join vehicle_status s on s.vehicle_id = u.vehicle_id
    join agent on agent.id = u.agent_id join service_area area on area.id = u.area_id`,
  sorts: { made: ['made_at', 'instant'] },
  find: ({ stages = unitStages, protocol, model, importId, areaIds, text, id }) => ({
    runs: { column: 'stage', type: 'text', values: stages },
    narrowed: [
      id !== undefined && sql`u.vehicle_id = ${id}`,
      importId !== undefined && sql`u.import_id = ${importId}`,
      text !== undefined && named(text),
    ],
    where: [
      protocol !== undefined &&
        sql`exists (select from vehicle x where x.id = u.vehicle_id and x.protocol = ${protocol})`,
      model !== undefined && sql`exists (select from vehicle x where x.id = u.vehicle_id and x.model = ${model})`,
    ],
    areaIds,
  }),
})
