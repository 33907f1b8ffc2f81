import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf, rowsOf } from '#kit/db/rows.ts'
import { tell } from '#notices/public.ts'
import { readSetting } from '#settings/public.ts'

const toldRow = rowsOf(
  rowOf('vehicle_alarm', 'a', ['id', 'vehicle_id', 'agent_id', 'area_id', 'kind', 'opened_at']),
  rowOf('vehicle', 'v', ['number']),
  rowOf('service_area', 'sa', ['name as area_name']),
)

/**
 * Tells of alarms that have just opened. Ordinary ones are many (a network that fails makes a fleet silent): they are
 * written only where some company has asked for them. Nobody is told of those that a factory test makes.
 */
export async function tellAlarms(
  tx: Tx,
  opened: readonly { readonly id: number; readonly agent_id: number; readonly kind: string }[],
): Promise<void> {
  const seriousOf = new Map<number, readonly string[]>()
  for (const agentId of new Set(opened.map((row) => row.agent_id)))
    seriousOf.set(agentId, await readSetting(tx, 'serious_alarms', { agentId }))
  const isSerious = (row: { readonly agent_id: number; readonly kind: string }): boolean =>
    seriousOf.get(row.agent_id)?.includes(row.kind) === true
  const serious = opened.filter(isSerious)
  const wanted = serious.length === opened.length || (await areOrdinaryWanted(tx)) ? opened : serious
  if (wanted.length === 0) return
  const { rows } = await toldRow.select`
    from vehicle_alarm a join vehicle v on v.id = a.vehicle_id join service_area sa on sa.id = a.area_id
      left join production_unit u on u.vehicle_id = a.vehicle_id
    where a.id = any (${wanted.map(({ id }) => id)}::bigint[]) and a.closed_at is null
      and u.stage is distinct from 'in_test'`.execute(tx)
  await tell(
    tx,
    rows.map((row) => ({
      event: isSerious(row) ? 'alarm_serious' : 'alarm_ordinary',
      agentId: row.agent_id,
      areaId: row.area_id,
      subject: `vehicle ${row.vehicle_id} ${row.kind}`,
      key: `alarm ${row.id}`,
      values: { vehicle: row.number, area: row.area_name, alarm: row.kind },
      path: `/vehicle-info?vehicle=${row.number}`,
      at: row.opened_at,
    })),
  )
}

async function areOrdinaryWanted(tx: Tx): Promise<boolean> {
  const { rows } = await countRow.select`
    from notice_rule where event = 'alarm_ordinary' and cardinality(channels) > 0`.execute(tx)
  return (rows[0]?.count ?? 0) > 0
}
