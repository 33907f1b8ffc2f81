import type { z } from 'zod'
import { activityCommonSchema, type ActivityCommon, type ActivityKind } from '@saddle/contract/marketing/activities.ts'
import { isControl, isHeldOut } from '@saddle/contract/marketing/holdout.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf } from '#kit/db/rows.ts'
import { controlPercent } from '../holdout/holdout.ts'

/** Activities of one kind that are looked at for a company; of more the oldest count. */
const runningMax = 50

const row = rowsOf(
  rowOf('activity', 'a', ['id', 'agent_id', 'version']),
  rowOf('activity_version', 'v', ['common', 'terms']),
)

export type Running<Terms> = {
  readonly id: number
  readonly agentId: number
  readonly version: number
  readonly common: ActivityCommon
  readonly terms: Terms
  /** Whether it, or the control group of the company, leaves a rider out. */
  leavesOut(riderId: number): boolean
}

/**
 * The activities of a kind that are switched on in some companies, whatever their time: a job that looks at past facts
 * compares each with the time of the fact.
 */
export async function runningActivities<Terms>(
  tx: Tx,
  asked: { readonly agentIds: readonly number[]; readonly kind: ActivityKind; readonly terms: z.ZodType<Terms> },
): Promise<Running<Terms>[]> {
  const { rows } = await row.select`
    from activity a join activity_version v on v.activity_id = a.id and v.version = a.version
    where a.agent_id = any (${asked.agentIds}::bigint[]) and a.kind = ${asked.kind} and a.state = 'on' and a.dry_at is null
    order by a.agent_id, a.id limit ${runningMax * Math.max(1, asked.agentIds.length)}`.execute(tx)
  const control = new Map<number, number>()
  for (const agentId of new Set(rows.map((found) => found.agent_id))) {
    control.set(agentId, await controlPercent(tx, agentId))
  }
  return rows.map(({ id, agent_id: agentId, version, ...found }) => {
    const common = activityCommonSchema.parse(found.common)
    const percent = common.holdoutPercent
    return {
      id,
      agentId,
      version,
      common,
      terms: asked.terms.parse(found.terms),
      leavesOut: (riderId) =>
        isHeldOut({ agentId, id, percent, riderId }) ||
        isControl({ agentId, percent: control.get(agentId) ?? 0, riderId }),
    }
  })
}

export const isWithinTime = ({ startsAt, endsAt }: Pick<ActivityCommon, 'startsAt' | 'endsAt'>, at: number): boolean =>
  at >= startsAt && (endsAt === null || at < endsAt)

const orderRow = rowOf('ride_order', 'o', [
  'id',
  'agent_id',
  'area_id',
  'rider_id',
  'state',
  'started_at',
  'ended_at',
  'distance_m',
  'charged_cents',
]).filled('started_at', 'ended_at', 'charged_cents')

/** Rides that are paid and not refunded in full, by their orders. */
export async function paidRides(tx: Tx, orderIds: readonly number[]) {
  if (orderIds.length === 0) return []
  const { rows } = await orderRow.select`
    from ride_order o
    where o.id = any (${orderIds}::bigint[]) and o.state in ('paid', 'part_refunded') and o.started_at is not null
      and o.ended_at is not null and o.charged_cents is not null`.execute(tx)
  return rows.map((order) => ({
    orderId: order.id,
    agentId: order.agent_id,
    riderId: order.rider_id,
    areaId: order.area_id,
    startedAt: order.started_at.getTime(),
    endedAt: order.ended_at.getTime(),
    metres: order.distance_m ?? 0,
    cents: order.charged_cents,
  }))
}
export type PaidRide = Awaited<ReturnType<typeof paidRides>>[number]
