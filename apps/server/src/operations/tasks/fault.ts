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

async function isRuled(tx: Tx, vehicleId: number): Promise<boolean> {
  const { rows } = await sql`
    select from vehicle v cross join lateral (
      select r.rules from task_rule_version r where r.area_id = v.area_id order by r.version desc limit 1
    ) r
    where v.id = ${vehicleId} and r.rules @> '[{"trigger": "fault", "enabled": true}]'`.execute(tx)
  return rows.length > 0
}
