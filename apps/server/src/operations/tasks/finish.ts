import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { TaskCheck } from '@saddle/contract/operations/taskWords.ts'
import { type LatLng } from '@saddle/geo/earth.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { reportFound } from './fault.ts'
import { byCaller, type TaskParts } from './parts.ts'
import { turnsOf } from './states.ts'
import { insertSteps, type LockedTask } from './store.ts'

/** What somebody brings back from a task. */
export type Result = {
  readonly task: LockedTask
  readonly at: number
  readonly note: string
  readonly place?: LatLng | undefined
  readonly scannedNumber?: string | undefined
  readonly photoIds?: readonly string[]
  readonly batteryAfter?: number | undefined
  readonly reasonId?: number | undefined
  readonly parts?: readonly { readonly partId: number; readonly pieces: number }[]
  readonly checks?: readonly { readonly check: TaskCheck; readonly isFine: boolean }[]
}

/**
 * Ends a task with what it brought, in the caller's transaction, which holds it: the pay of that day, the parts out of
 * the stock, the fault reports and the alarm that asked for it settled, and the vehicle back on the street.
 */
export async function finishTask(parts: TaskParts, tx: Tx, call: SessionCall, result: Result): Promise<void> {
  const { task, at, note, place } = result
  const by = byCaller(call)
  // Before its alarms: reports of the vehicle take the same locks in this order.
  await parts.fleet.turnVehicles(tx, turnsOf('done', [task]))
  const reason = result.reasonId === undefined ? null : await readReason(tx, task, result.reasonId)
  const partsCents = await takeParts(tx, { task, used: result.parts ?? [], at, by: by.name })
  const pay = await readPay(tx, task)
  const doneAt = new Date(at)
  await writeResult(tx, { result, reason, partsCents, payCents: pay.cents })
  if (pay.reviewed)
    await sql`
      insert into task_review (task_id, agent_id, area_id)
      values (${task.id}, ${task.agent_id}, ${task.area_id})`.execute(tx)
  // Last: the end of the task adds all of it to the figures of the day.
  await sql`
    update task set state = 'done', done_at = greatest(${doneAt}, opened_at), outcome = null, outcome_at = null,
      claimed_at = coalesce(claimed_at, greatest(${doneAt}, opened_at)),
      on_site_at = coalesce(on_site_at, greatest(${doneAt}, opened_at)),
      assignee_id = coalesce(assignee_id, ${by.operatorId}), person_name = coalesce(person_name, ${by.name})
    where id = ${task.id}`.execute(tx)
  await insertSteps(tx, [{ task, step: 'done', at, by, place, note }])
  if (task.kind === 'repair') await settleFaults(tx, task, doneAt)
  if (task.kind === 'inspect' && reason !== null) {
    await reportFound(tx, { inspection: task, reason, note, personName: by.name, at })
  }
  if (task.trigger === 'alarm') await closeItsAlarm(parts, tx, call, { task, note })
}

const repairReasonRow = rowOf('repair_reason', ['name'])

/** The battery that was read on arrival stays. */
async function writeResult(
  tx: Tx,
  found: { result: Result; reason: string | null; partsCents: number; payCents: number },
): Promise<void> {
  const { result, reason, partsCents, payCents } = found
  const { task, note, place } = result
  await sql`
    insert into task_result (
      task_id, agent_id, area_id, note, lat, lng, scanned_number, photo_ids, battery_before, battery_after, reason,
      parts_cents, pay_cents, checks_fine, checks_failed)
    values (
      ${task.id}, ${task.agent_id}, ${task.area_id}, ${note}, ${place?.lat ?? null}, ${place?.lng ?? null},
      ${result.scannedNumber ?? null}, ${[...(result.photoIds ?? [])]}, ${task.battery}, ${result.batteryAfter ?? null},
      ${reason}, ${partsCents}, ${payCents}, ${checked(result, true)}, ${checked(result, false)})
    on conflict (task_id) do update set
      note = excluded.note, lat = excluded.lat, lng = excluded.lng, scanned_number = excluded.scanned_number,
      photo_ids = excluded.photo_ids, battery_before = coalesce(task_result.battery_before, excluded.battery_before),
      battery_after = excluded.battery_after, reason = excluded.reason, parts_cents = excluded.parts_cents,
      pay_cents = excluded.pay_cents, checks_fine = excluded.checks_fine,
      checks_failed = excluded.checks_failed`.execute(tx)
}

const checked = ({ checks = [] }: Result, isFine: boolean): string[] =>
  checks.filter((one) => one.isFine === isFine).map(({ check }) => check)

async function readReason(tx: Tx, { agent_id }: LockedTask, reasonId: number): Promise<string> {
  const { rows } =
    await repairReasonRow.select`from repair_reason where id = ${reasonId} and agent_id = ${agent_id}`.execute(tx)
  const [found] = rows
  if (found === undefined) throw new AppError('not_found')
  return found.name
}

const taskPayRow = rowOf('task_pay', ['cents', 'reviewed'])

async function readPay(tx: Tx, task: LockedTask): Promise<{ cents: number; reviewed: boolean }> {
  const { rows } =
    await taskPayRow.select`from task_pay where agent_id = ${task.agent_id} and kind = ${task.kind}`.execute(tx)
  return rows[0] ?? { cents: 0, reviewed: false }
}

const repairPartRow = rowOf('repair_part', ['price_cents'])

/** Takes parts out of the stock at the price of the day. They are built in, whatever the books say is left. */
async function takeParts(
  tx: Tx,
  options: { task: LockedTask; used: readonly { partId: number; pieces: number }[]; at: number; by: string },
): Promise<number> {
  const { task, used, at, by } = options
  let cents = 0
  for (const { partId, pieces } of used.toSorted((a, b) => a.partId - b.partId)) {
    const { rows } = await repairPartRow.returning`
      update repair_part set stock = stock - ${pieces}
      where id = ${partId} and agent_id = ${task.agent_id} and removed_at is null `.execute(tx)
    const [part] = rows
    if (part === undefined) throw new AppError('not_found')
    const cost = part.price_cents * pieces
    await sql`
      insert into repair_part_movement (part_id, agent_id, pieces, cents, task_id, at, operator_name)
      values (${partId}, ${task.agent_id}, ${-pieces}, ${cost}, ${task.id}, ${new Date(at)}, ${by})`.execute(tx)
    cents += cost
  }
  return cents
}

async function settleFaults(tx: Tx, task: LockedTask, at: Date): Promise<void> {
  await sql`
    update fault_report set settled_at = greatest(${at}, reported_at), task_id = ${task.id}
    where vehicle_id = ${task.vehicle_id} and agent_id = ${task.agent_id} and area_id = ${task.area_id}
      and settled_at is null`.execute(tx)
}

const vehicleAlarmRow = rowOf('vehicle_alarm', ['id'])

async function closeItsAlarm(
  { fleet }: TaskParts,
  tx: Tx,
  call: SessionCall,
  { task, note }: { task: LockedTask; note: string },
): Promise<void> {
  const { rows } = await vehicleAlarmRow.select`
    from vehicle_alarm
    where vehicle_id = ${task.vehicle_id} and agent_id = ${task.agent_id} and area_id = ${task.area_id}
      and kind = ${task.trigger_detail} and closed_at is null`.execute(tx)
  if (rows.length > 0) await fleet.closeAlarms(tx, call, { ids: rows.map((row) => row.id), note })
}
