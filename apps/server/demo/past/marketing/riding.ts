import { activityCommonSchema } from '@saddle/contract/marketing/activities.ts'
import { isControl, isHeldOut } from '@saddle/contract/marketing/holdout.ts'
import { ridingTermsSchema, type RidingTerms } from '@saddle/contract/marketing/ridingActivities.ts'
import type { Benefit } from '@saddle/contract/riding/benefits.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
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
import { budgetLeft, savedBy, type Budget, type PastSource } from '../benefits.ts'
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
type Riding = Required<Pick<PastSource, 'reach' | 'held' | 'refused' | 'take' | 'store' | 'finish'>>
type Running = {
  readonly id: number
  readonly percent: number
  readonly from: number
  readonly until: number
  readonly benefit: Benefit
  readonly tally: ReturnType<typeof createTally>
}

/**
 * Makes the riding activities of the demo's companies as they were a month ago. A demo whose booking was cut short goes on
 * with what its rides have used. Null where all of the past is booked.
 */
export async function openPastRiding(kit: Pick<Kit, 'db' | 'clock'>): Promise<Riding | null> {
  const now = kit.clock.now()
  const opened = (await hasActivities(kit, 'riding')) ? await reopen(kit, now) : await openAll(kit, now)
  return opened === null ? null : pastRiding(kit, opened, now)
}

type Opened = {
  readonly running: ReadonlyMap<number, readonly Running[]>
  readonly control: ReadonlyMap<number, number>
}
const companies = demoTenants.filter(({ id }) => id !== platformAgentId)

const openAll = ({ db }: Pick<Kit, 'db'>, now: number): Promise<Opened> =>
  db.system(async (tx) => {
    const running = new Map<number, Running[]>()
    const control = new Map<number, number>()
    for (const { id: agentId } of companies) {
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
    return { running, control }
  })

const keptRow = rowsOf(
  rowOf('activity', 'a', ['id', 'name', 'version', 'state', 'starts_at', 'ends_at', 'changed_at']),
  rowOf('activity_version', 'v', ['common', 'terms']),
)
const useRow = rowsOf(
  rowOf('activity_use', 'u', ['rider_id', 'cents', 'used_at']),
  rowOf('ride_order', 'o', ['area_id']),
)

/** The activities of a past that was cut short, with what was used of them; null where the last step was done, too. */
const reopen = ({ db }: Pick<Kit, 'db'>, now: number): Promise<Opened | null> =>
  db.system(async (tx) => {
    const running = new Map<number, Running[]>()
    const control = new Map<number, number>()
    for (const { id: agentId } of companies) {
      const { rows } = await keptRow.select`
        from activity a join activity_version v on v.activity_id = a.id and v.version = a.version
        where a.agent_id = ${agentId} and a.kind = 'riding' and a.name = any (${activities.map(({ name }) => name)}::text[])
        order by a.id`.execute(tx)
      // The last step makes a second version of this one.
      if (rows.some(({ name, version }) => name === scarce && version > 1)) return null
      control.set(agentId, await controlPercent(tx, agentId))
      const own: Running[] = []
      for (const row of rows.filter(({ state }) => state !== 'draft')) own.push(await reopened(tx, row, now))
      running.set(agentId, own)
    }
    return { running, control }
  })

async function reopened(tx: Tx, row: RowOf<typeof keptRow>, now: number): Promise<Running> {
  const common = activityCommonSchema.parse(row.common)
  const tally = createTally(common)
  const { rows: uses } = await useRow.select`
    from activity_use u join ride_order o on o.id = u.cause_id
    where u.activity_id = ${row.id} and u.cause_kind = 'ride' order by u.used_at, u.cause_id`.execute(tx)
  for (const { rider_id: riderId, cents, used_at: usedAt, area_id: areaId } of uses)
    tally.take({ riderId, areaId, at: usedAt.getTime(), cents })
  const stoppedAt = row.state === 'on' ? now : row.changed_at.getTime()
  return {
    id: row.id,
    percent: common.holdoutPercent,
    from: row.starts_at.getTime(),
    until: Math.min(now, stoppedAt, row.ends_at?.getTime() ?? now),
    benefit: ridingBenefitOf(row.id, common, ridingTermsSchema.parse(row.terms)),
    tally,
  }
}

function pastRiding(kit: Pick<Kit, 'db'>, { running, control }: Opened, now: number): Riding {
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
  const tallyOf = (agentId: number, id: number) => running.get(agentId)?.find((one) => one.id === id)?.tally
  let budgets: ReadonlyMap<number, Budget> = new Map()
  const hasRoom = (agentId: number, id: number, cents: number): boolean => {
    const left = budgets.get(id)
    return (
      tallyOf(agentId, id)?.hasRoom(cents) === true && (left === undefined || (left.uses >= 1 && left.cents >= cents))
    )
  }
  return {
    // Riders of the live city use the same budgets meanwhile.
    reach: async () => {
      budgets = await readBudgets(kit)
    },
    held: (ride) => ({ benefits: runningFor(ride).map(({ benefit }) => benefit), skipped: [] }),
    refused: ({ agentId }, lines) =>
      [...savedBy(lines, 'activity')].flatMap(([id, cents]) => (hasRoom(agentId, id, cents) ? [] : [`activity:${id}`])),
    take: ({ agentId, riderId, areaId, endedAt }, lines) => {
      for (const [id, cents] of savedBy(lines, 'activity')) {
        tallyOf(agentId, id)?.take({ riderId, areaId, at: endedAt, cents })
        const left = budgets.get(id)
        if (left !== undefined) Object.assign(left, { cents: left.cents - cents, uses: left.uses - 1 })
      }
    },
    store: (tx, rides) =>
      recordUses(
        tx,
        rides.flatMap(({ agentId, riderId, endedAt, orderId, lines }) =>
          [...savedBy(lines, 'activity')].map(([activityId, cents]): RecordedUse => ({
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

const budgetRow = rowOf('activity', 'a', ['id', 'budget_cents', 'budget_uses', 'used_cents', 'uses'])

/** What is left of the budget of each riding activity. */
async function readBudgets({ db }: Pick<Kit, 'db'>): Promise<Map<number, Budget>> {
  const { rows } = await db.system((tx) =>
    budgetRow.select`from activity a where a.kind = 'riding' order by a.id`.execute(tx),
  )
  return new Map(rows.map((row) => [row.id, budgetLeft(row)]))
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
