import { sql } from 'kysely'
import { minuteMs } from '@saddle/contract/time.ts'
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

type Parts = { readonly kit: Pick<Kit, 'db' | 'clock' | 'bus'>; readonly audit: Audit }
type Acting = Pick<SessionCall, 'scope' | 'caller' | 'address' | 'requestId'>
export type Closing = { readonly ids: readonly number[]; readonly note: string }

/** Closes these alarms of the scope as the caller, with a line in the log; returns those that were open. */
export async function closeAlarms(parts: Parts, tx: Tx, call: Acting, { ids, note }: Closing): Promise<number[]> {
  const { kit } = parts
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
  await noteAlarms(parts, tx, call, { action: 'alarm.fix', rows, note })
  if (rows.length > 0) publishTurned(kit, tx, { rows, changed: await told(tx, rows, at), open: false })
  return rows.map((row) => row.id)
}

/** A person's mistake is taken back within this time. */
export const reopenAlarmWithinMs = 10 * minuteMs

/**
 * Opens alarms again that the caller has just closed; one that has come back by itself meanwhile stays as it is. What the
 * devices said is not touched: the next report about it counts as before.
 */
export async function reopenAlarms(
  { kit, audit }: Parts,
  tx: Tx,
  call: Acting,
  ids: readonly number[],
): Promise<number[]> {
  const since = new Date(kit.clock.now() - reopenAlarmWithinMs)
  const { caller, scope } = call
  const { rows: held } = await vehicleStatusRow.select`
    from vehicle_status s
    where s.vehicle_id in (
      select a.vehicle_id from vehicle_alarm a where a.id = any (${ids}::bigint[]) and ${tenantFilter('a', scope)}
    )
    order by s.vehicle_id for no key update`.execute(tx)
  const vehicles = held.map((row) => row.vehicle_id)
  const { rows } = await vehicleAlarmRow.returning`
    update vehicle_alarm a set closed_at = null, fixed_by_id = null, fixed_by = null, note = ''
    where a.id = any (${ids}::bigint[]) and a.vehicle_id = any (${vehicles}::bigint[])
      and a.fixed_by_id = ${caller.operatorId} and a.closed_at >= ${since} and ${tenantFilter('a', scope)}
      and not exists (
        select from vehicle_alarm o where o.vehicle_id = a.vehicle_id and o.kind = a.kind and o.closed_at is null
      )
      and a.id = (
        select max(m.id) from vehicle_alarm m
        where m.vehicle_id = a.vehicle_id and m.kind = a.kind and m.id = any (${ids}::bigint[])
      )
    `.execute(tx)
  await noteAlarms({ kit, audit }, tx, call, { action: 'alarm.reopen', rows, note: '' })
  if (rows.length > 0) {
    const reopened = [...new Set(rows.map((row) => row.vehicle_id))]
    await sql`update vehicle_status set version = version + 1 where vehicle_id = any (${reopened}::bigint[])`.execute(
      tx,
    )
    publishTurned(kit, tx, { rows, changed: await nowsOf(tx, reopened), open: true })
  }
  return rows.map((row) => row.id)
}

async function noteAlarms(
  { audit }: Parts,
  tx: Tx,
  call: Acting,
  act: { action: 'alarm.fix' | 'alarm.reopen'; rows: readonly Row[]; note: string },
): Promise<void> {
  for (const { agentId, areaId, rows: own } of byArea(act.rows)) {
    await audit.act(tx, call, {
      agentId,
      areaId,
      action: act.action,
      subjectKind: 'vehicle',
      subjectId: own.length === 1 ? String(own[0]?.vehicle_id) : '',
      about: own.map((row) => ({ kind: 'vehicle', id: row.vehicle_id })),
      after: { alarms: own.map(({ id, vehicle_id: vehicleId, kind }) => ({ id, vehicleId, kind })), note: act.note },
    })
  }
}

function publishTurned(
  kit: Parts['kit'],
  tx: Tx,
  { rows, changed, open }: { rows: readonly Row[]; changed: readonly VehicleNow[]; open: boolean },
): void {
  const alarms = rows.map((row): AlarmMessage => ({
    vehicleId: row.vehicle_id,
    agentId: row.agent_id,
    areaId: row.area_id,
    kind: row.kind,
    open,
  }))
  kit.db.afterCommit(tx, () => {
    kit.bus.publish(fleetTopics.vehicle, changed)
    kit.bus.publish(fleetTopics.alarm, alarms)
  })
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
  return nowsOf(tx, vehicleIds)
}

async function nowsOf(tx: Tx, vehicleIds: readonly number[]): Promise<VehicleNow[]> {
  const rows = await selectNow(tx)
    .where('s.vehicle_id', '=', sql<number>`any (${vehicleIds}::bigint[])`)
    .execute()
  return rows.map(nowOf)
}
