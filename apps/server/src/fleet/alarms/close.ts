import { sql } from 'kysely'
import { byArea, type Audit } from '#audit/public.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { fleetTopics, type AlarmMessage, type VehicleNow } from '../messages.ts'
import { nowOf, selectNow } from '../vehicles/now.ts'
import { wordOfPerson } from './rules.ts'

const vehicleAlarmRow = rowOf('vehicle_alarm', 'a', ['id', 'vehicle_id', 'agent_id', 'area_id', 'kind'])
type Row = RowOf<typeof vehicleAlarmRow>

export type Closing = { readonly ids: readonly number[]; readonly note: string }

/** Closes these alarms of the scope as the caller, with a line in the log; returns those that were open. */
export async function closeAlarms(
  parts: { readonly kit: Pick<Kit, 'db' | 'clock' | 'bus'>; readonly audit: Audit },
  tx: Tx,
  call: Pick<SessionCall, 'scope' | 'caller' | 'address' | 'requestId'>,
  { ids, note }: Closing,
): Promise<number[]> {
  const { kit, audit } = parts
  const at = new Date(kit.clock.now())
  const { caller } = call
  // The gateway holds a vehicle's status while it writes its alarms: the same order here, or they block each other.
  const vehicles = await lockVehiclesOf(tx, { ids, scope: call.scope })
  const { rows } = await vehicleAlarmRow.returning`
    update vehicle_alarm a set closed_at = greatest(${at}, a.opened_at), fixed_by_id = ${caller.operatorId},
      fixed_by = ${caller.name}, note = ${note}
    where a.id = any (${ids}::bigint[]) and a.vehicle_id = any (${vehicles}::bigint[]) and a.closed_at is null
      and ${tenantFilter('a', call.scope)}
    `.execute(tx)
  for (const { agentId, areaId, rows: own } of byArea(rows)) {
    await audit.act(tx, call, {
      agentId,
      areaId,
      action: 'alarm.fix',
      subjectKind: 'vehicle',
      subjectId: own.length === 1 ? String(own[0]?.vehicle_id) : '',
      about: own.map((row) => ({ kind: 'vehicle', id: row.vehicle_id })),
      after: { alarms: own.map(({ id, vehicle_id: vehicleId, kind }) => ({ id, vehicleId, kind })), note },
    })
  }
  if (rows.length > 0) {
    const closed = rows.map((row): AlarmMessage => ({
      vehicleId: row.vehicle_id,
      agentId: row.agent_id,
      areaId: row.area_id,
      kind: row.kind,
      open: false,
    }))
    const changed = await told(tx, rows, at)
    kit.db.afterCommit(tx, () => {
      kit.bus.publish(fleetTopics.vehicle, changed)
      kit.bus.publish(fleetTopics.alarm, closed)
    })
  }
  return rows.map((row) => row.id)
}

const vehicleStatusRow = rowOf('vehicle_status', 's', ['vehicle_id'])

/** Locks the vehicles of these open alarms in the order of their ids. */
async function lockVehiclesOf(tx: Tx, options: { ids: readonly number[]; scope: Scope }): Promise<number[]> {
  const { ids, scope } = options
  const { rows } = await vehicleStatusRow.select`
    from vehicle_status s
    where s.vehicle_id in (
      select a.vehicle_id from vehicle_alarm a
      where a.id = any (${ids}::bigint[]) and a.closed_at is null and ${tenantFilter('a', scope)}
    )
    order by s.vehicle_id for no key update`.execute(tx)
  return rows.map((row) => row.vehicle_id)
}

/**
 * A change of alarms is a change of the vehicle, so it is published. It also counts as the latest report about them, so
 * neither an earlier report nor one that only repeats the reason opens them again.
 */
async function told(tx: Tx, closed: readonly Row[], at: Date): Promise<VehicleNow[]> {
  const vehicleIds = [...new Set(closed.map((row) => row.vehicle_id))]
  const words = unnest<Row>({
    rows: closed.filter(({ kind }) => kind !== 'offline'),
    alias: 'w',
    columns: {
      vehicle_id: ['bigint', (row) => row.vehicle_id],
      kind: ['text', (row) => row.kind],
      word: ['bigint', (row) => wordOfPerson(row.kind, at.getTime())],
    },
  })
  await sql`
    update vehicle_status s set version = s.version + 1, told = case when w.words is null then s.told else
      jsonb_build_object(
        'facts', coalesce(s.told -> 'facts', '{}'::jsonb),
        'alarms', coalesce(s.told -> 'alarms', '{}'::jsonb) || w.words
      ) end
    from unnest(${vehicleIds}::bigint[]) as r (vehicle_id)
    left join (select vehicle_id, jsonb_object_agg(kind, word) as words from ${words} group by vehicle_id) w
      on w.vehicle_id = r.vehicle_id
    where s.vehicle_id = r.vehicle_id`.execute(tx)
  const rows = await selectNow(tx)
    .where('s.vehicle_id', '=', sql<number>`any (${vehicleIds}::bigint[])`)
    .execute()
  return rows.map(nowOf)
}
