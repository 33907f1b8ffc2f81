import { sql } from 'kysely'
import type { alarmEndpoints, AlarmTicket } from '@saddle/contract/fleet/alarms.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { closeAlarms, reopenAlarms } from './close.ts'

const vehicleAlarmRow = rowsOf(
  rowOf('vehicle_alarm', 'a', [
    'id',
    'vehicle_id',
    'agent_id',
    'area_id',
    'kind',
    'opened_at',
    'last_at',
    'times',
    'closed_at',
    'fixed_by',
    'note',
  ]),
  rowOf('vehicle', 'v', ['number']),
  rowOf('service_area', 'sa', ['name as area_name']),
)
type Row = RowOf<typeof vehicleAlarmRow>

/** Alarms as tickets, which staff handle and close. */
export function createAlarmHandlers(
  kit: Pick<Kit, 'db' | 'clock' | 'bus'>,
  others: { readonly audit: Audit },
): Handlers<typeof alarmEndpoints> {
  return {
    listAlarmTickets: async (
      { vehicleId, vehicleIds, keyword, from, to, afterId, pageSize, kinds, open },
      { scope },
    ) => {
      const conditions = [tenantFilter('a', scope)]
      if (vehicleId !== undefined) conditions.push(sql`a.vehicle_id = ${vehicleId}`)
      if (vehicleIds !== undefined) conditions.push(sql`a.vehicle_id = any (${vehicleIds}::bigint[])`)
      if (keyword !== undefined && keyword !== '') conditions.push(startsWith(sql`v.number`, keyword.toUpperCase()))
      if (from !== undefined) conditions.push(sql`a.opened_at >= ${new Date(from)}`)
      if (to !== undefined) conditions.push(sql`a.opened_at < ${new Date(to)}`)
      if (afterId !== undefined) conditions.push(sql`a.id < ${afterId}`)
      if (kinds !== undefined) conditions.push(sql`a.kind = any (${kinds}::text[])`)
      if (open === true) conditions.push(sql`a.closed_at is null`)
      if (open === false) conditions.push(sql`a.closed_at is not null`)
      const query = vehicleAlarmRow.select`
        from vehicle_alarm a join vehicle v on v.id = a.vehicle_id join service_area sa on sa.id = a.area_id
        where ${sql.join(conditions, sql` and `)}
        order by a.id desc limit ${pageSize + 1}`
      const rows = await kit.db.read(scope, (k) => query.compile(k))
      return { suc: true, data: { list: rows.slice(0, pageSize).map(ticketOf), hasMore: rows.length > pageSize } }
    },

    fixAlarmTickets: async ({ ids, note }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const fixedIds = await closeAlarms({ kit, ...others }, tx, call, { ids, note })
        return { suc: true, data: { fixedIds } }
      }),

    reopenAlarmTickets: async ({ ids }, call) =>
      kit.db.withScope(call.scope, async (tx) => ({
        suc: true,
        data: { reopenedIds: await reopenAlarms({ kit, ...others }, tx, call, ids) },
      })),
  }
}

function ticketOf(row: Row): AlarmTicket {
  return {
    id: row.id,
    vehicleId: row.vehicle_id,
    number: row.number,
    agentId: row.agent_id,
    areaId: row.area_id,
    areaName: row.area_name,
    kind: row.kind,
    openedAt: row.opened_at.getTime(),
    lastAt: row.last_at.getTime(),
    times: row.times,
    closedAt: row.closed_at?.getTime() ?? null,
    fixedBy: row.fixed_by,
    note: row.note,
  }
}
