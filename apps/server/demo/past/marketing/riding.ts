import { isControl, isHeldOut } from '@saddle/contract/marketing/holdout.ts'
import { ridingTermsSchema, type RidingTerms } from '@saddle/contract/marketing/ridingActivities.ts'
import type { Benefit } from '@saddle/contract/riding/benefits.ts'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import {
  controlPercent,
  createTally,
  lockActivity,
  recordUses,
  ridingBenefitOf,
  updateActivity,
  type RecordedUse,
} from '#marketing/demoDoor.ts'
import { demoTenants, platformAgentId } from '#demo/tenants.ts'
import { hasActivities, insertPastActivity, marketingClerk, spanOfPast, type PastActivity } from './activities.ts'

const riding = (terms: Parameters<typeof ridingTermsSchema.parse>[0]): RidingTerms => ridingTermsSchema.parse(terms)
const night = { from: 22 * 60, to: 6 * 60 }
const morning = { from: 7 * 60, to: 9 * 60 }

/** The riding activities of each company of the demo, one in each state. */
const activities: readonly (PastActivity & { readonly terms: RidingTerms })[] = [
  {
    name: '雨天立减',
    fromDays: -28,
    common: { holdoutPercent: 20, budgetCents: 800_000 },
    terms: riding({ effect: { off: 'cents', cents: 100 }, conditions: { weathers: ['rain', 'snow'] } }),
  },
  {
    name: '夜间半价',
    fromDays: -21,
    common: { holdoutPercent: 10, riderDayUses: 1, budgetCents: 1_000_000 },
    terms: riding({ effect: { off: 'percent', percent: 50, maxCents: 200 }, conditions: { hours: night } }),
  },
  {
    name: '停车点还车优惠',
    fromDays: -14,
    common: { holdoutPercent: 10, riderUses: 5, budgetCents: 20_000 },
    terms: riding({ effect: { off: 'cents', cents: 50 }, conditions: { parked: true, minMinutes: 8 } }),
  },
  {
    name: '早高峰通勤立减',
    fromDays: -27,
    toDays: -6,
    common: { budgetUses: 5_000, riderDayUses: 1 },
    terms: riding({
      effect: { off: 'cents', cents: 80 },
      conditions: { hours: morning, weekdays: [1, 2, 3, 4, 5] },
    }),
  },
  {
    name: '周末免起步价',
    fromDays: -24,
    state: 'paused',
    stoppedDays: -3,
    common: { riderDayUses: 2 },
    terms: riding({ effect: { off: 'start' }, conditions: { weekdays: [6, 7], minMinutes: 15 } }),
  },
  {
    name: '国庆前体验周',
    fromDays: -30,
    toDays: 20,
    state: 'ended',
    stoppedDays: -23,
    common: { riderUses: 1 },
    terms: riding({ effect: { off: 'minutes', minutes: 10 }, alone: true }),
  },
  {
    name: '双十二骑行周',
    fromDays: 10,
    toDays: 17,
    common: { budgetCents: 500_000, holdoutPercent: 10 },
    terms: riding({ effect: { off: 'percent', percent: 30, maxCents: 300 }, fromCents: 200 }),
  },
  {
    name: '雪天暖心免单',
    fromDays: 1,
    state: 'draft',
    terms: riding({ effect: { off: 'percent', percent: 100, maxCents: 500 }, conditions: { weathers: ['snow'] } }),
  },
]
/** Of these, the one whose budget is nearly used up by now. */
const scarce = '夜间半价'
const scarceShare = 0.9

type Ride = { readonly agentId: number; readonly riderId: number; readonly endedAt: number }
type Running = {
  readonly id: number
  readonly percent: number
  readonly from: number
  readonly until: number
  readonly benefit: Benefit
  readonly tally: ReturnType<typeof createTally>
}

/** Riding activities while rides of the past are booked, in the order of time. */
export type PastRiding = {
  /** The activities that a rider could use for a ride. */
  benefitsOf(ride: Ride): readonly Benefit[]
  /** Takes what the lines of a charge used; the activities that had no room for it. */
  take(ride: Ride & { readonly areaId: number }, lines: readonly ChargeLine[]): readonly number[]
  /** Stores what the lines of charges have used. */
  store(
    tx: Tx,
    rides: readonly (Ride & { readonly orderId: number; readonly lines: readonly ChargeLine[] })[],
  ): Promise<void>
  /** After the last ride: what became of the activities since. */
  finish(): Promise<void>
}

/**
 * Makes the riding activities of the demo's companies as they were a month ago. Null where they are there already: rides that
 * are booked later then go without, because a demo that was cut short does not know what was used.
 */
export async function openPastRiding(kit: Pick<Kit, 'db' | 'clock'>): Promise<PastRiding | null> {
  if (await hasActivities(kit, 'riding')) return null
  const now = kit.clock.now()
  const running = new Map<number, Running[]>()
  const control = new Map<number, number>()
  await kit.db.system(async (tx) => {
    for (const { id: agentId } of demoTenants.filter(({ id }) => id !== platformAgentId)) {
      control.set(agentId, await controlPercent(tx, agentId))
      const own: Running[] = []
      for (const { terms, ...activity } of activities) {
        const { id, common } = await insertPastActivity(tx, { agentId, kind: 'riding', activity, terms, now })
        const benefit = ridingBenefitOf(id, common, terms)
        const span = spanOfPast(activity, now)
        own.push({ id, percent: common.holdoutPercent, ...span, benefit, tally: createTally(common) })
      }
      running.set(agentId, own)
    }
  })
  const runningFor = ({ agentId, riderId, endedAt }: Ride): Running[] => {
    if (isControl({ agentId, riderId, percent: control.get(agentId) ?? 0 })) return []
    return (running.get(agentId) ?? []).filter(
      ({ id, percent, from, until, tally }) =>
        endedAt >= from &&
        endedAt < until &&
        !isHeldOut({ agentId, id, percent, riderId }) &&
        tally.canTake({ riderId, at: endedAt }),
    )
  }
  return {
    benefitsOf: (ride) => runningFor(ride).map(({ benefit }) => benefit),
    take: ({ agentId, riderId, areaId, endedAt }, lines) =>
      [...usedBy(lines)]
        .filter(([id, cents]) => {
          const activity = running.get(agentId)?.find((one) => one.id === id)
          return activity?.tally.take({ riderId, areaId, at: endedAt, cents }) === false
        })
        .map(([id]) => id),
    store: (tx, rides) =>
      recordUses(
        tx,
        rides.flatMap(({ agentId, riderId, endedAt, orderId, lines }) =>
          [...usedBy(lines)].map(([activityId, cents]): RecordedUse => ({
            activityId,
            agentId,
            riderId,
            cents,
            at: endedAt,
            cause: { kind: 'ride', id: orderId },
          })),
        ),
      ),
    finish: () => kit.db.system((tx) => lowerBudgets(tx, running, now)),
  }
}

/** What each activity took off, by its number. */
function usedBy(lines: readonly ChargeLine[]): ReadonlyMap<number, number> {
  const used = new Map<number, number>()
  for (const { benefit, amountCents } of lines) {
    const [kind, id] = benefit?.split(':') ?? []
    if (kind === 'activity') used.set(Number(id), (used.get(Number(id)) ?? 0) - amountCents)
  }
  return used
}

/** One activity got less to spend, so that little of it is left: its second version. */
async function lowerBudgets(tx: Tx, running: ReadonlyMap<number, readonly Running[]>, now: number): Promise<void> {
  for (const [agentId, own] of running) {
    const id = own.find(({ benefit }) => benefit.name === scarce)?.id ?? 0
    const row = await lockActivity(tx, { id, kind: 'riding', scope: { agentIds: [agentId] } })
    if (row.used_cents === 0) continue
    const common = { ...row.common, budgetCents: Math.ceil(row.used_cents / scarceShare) }
    const by = { id: null, name: marketingClerk, at: new Date(now) }
    await updateActivity(tx, { row, common, terms: row.terms, by })
  }
}
