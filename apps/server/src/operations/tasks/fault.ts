import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { openTasks } from './open.ts'

/**
 * Keeps what a rider says is broken. Where the area has a rule for it the rule decides when that is a repair; elsewhere
 * it is one at once. A vehicle that waits for its repair already gets no second one.
 */
export async function reportFault(
  tx: Tx,
  { vehicleId, note, at }: { readonly vehicleId: number; readonly note: string; readonly at: number },
): Promise<void> {
  await sql`
    insert into fault_report (vehicle_id, agent_id, area_id, source, reason, note, reported_at)
    select id, agent_id, area_id, 'rider', 'fault', ${note.slice(0, 200)}::text, ${new Date(at)}::timestamptz
    from vehicle where id = ${vehicleId}`.execute(tx)
  if (await isRuled(tx, vehicleId)) return
  await openTasks(tx, { at, source: 'rider', by: null, tasks: [{ vehicleId, kind: 'repair', trigger: 'fault', note }] })
}

interface Found {
  readonly inspection: {
    readonly id: number
    readonly vehicle_id: number
    readonly agent_id: number
    readonly area_id: number
  }
  readonly reason: string
  readonly note: string
  readonly personName: string
  readonly at: number
}

/** Keeps what an inspection found, which becomes a repair as above. */
export async function reportFound(tx: Tx, { inspection, reason, note, personName, at }: Found): Promise<void> {
  const { id, vehicle_id: vehicleId, agent_id: agentId, area_id: areaId } = inspection
  await sql`
    insert into fault_report (
      vehicle_id, agent_id, area_id, source, reason, note, reported_at, person_name, inspection_id)
    values (${vehicleId}, ${agentId}, ${areaId}, 'inspection', ${reason}, ${note.slice(0, 200)}::text, ${new Date(at)},
      ${personName.slice(0, 40)}, ${id})`.execute(tx)
  if (await isRuled(tx, vehicleId)) return
  const task = { vehicleId, kind: 'repair', trigger: 'fault', triggerDetail: reason, note } as const
  await openTasks(tx, { at, source: 'inspection', by: null, tasks: [task] })
}

async function isRuled(tx: Tx, vehicleId: number): Promise<boolean> {
  const { rows } = await sql`
    select from vehicle v cross join lateral (
      select r.rules from task_rule_version r where r.area_id = v.area_id order by r.version desc limit 1
    ) r
    where v.id = ${vehicleId} and r.rules @> '[{"trigger": "fault", "enabled": true}]'`.execute(tx)
  return rows.length > 0
}
