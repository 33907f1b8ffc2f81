import { meterEventsMax, meters, type Meter } from '@saddle/contract/finance/meters.ts'
import { addDays, businessDayEnd, businessDayOf, businessDayStart, dayMs } from '@saddle/contract/time.ts'
import type { MeterSource, MeterDeps } from './deps.ts'
import { daysToCount } from './rules.ts'
import { closeDay, insertTallies, lastCounted, lockCounting, selectTallies, selectTallyCounts } from './store.ts'

/** Days of one meter that one run counts. */
const daysARun = 31
/** Companies and meters that a server adds up before it writes; then it writes at once. */
const talliesMax = 5_000

/** Reads every meter for the days that are over and not counted. A day that fails is tried by the next run. */
export async function countDays(deps: MeterDeps): Promise<number> {
  let counted = 0
  for (const meter of meters) {
    const source = deps.sources.get(meter)
    if (source !== undefined) counted += await countMeter(deps, meter, source)
  }
  return counted
}

async function countMeter({ kit }: MeterDeps, meter: Meter, source: MeterSource): Promise<number> {
  const { db, clock } = kit
  const nowMs = clock.now()
  const last = await db.system((tx) => lastCounted(tx, meter))
  // A meter begins with the day before it was first read.
  const first = last === null ? businessDayOf(nowMs - dayMs) : addDays(last, 1)
  let counted = 0
  for (const day of daysToCount({ first, nowMs, max: daysARun })) {
    const [from, to] = [new Date(businessDayStart(day)), new Date(businessDayEnd(day))]
    const counts = await source.count({ day, from, to })
    const isNew = await db.system(async (tx) => {
      await lockCounting(tx)
      return closeDay(tx, { meter, day, at: new Date(nowMs), counts })
    })
    if (isNew) counted += 1
  }
  return counted
}

export type Tallies = {
  /** Counts one use of a meter that leaves no rows of its own. */
  add(meter: 'sms' | 'map_call', agentId: number): void
  /** Writes what was counted since. What cannot be written is kept for the next time. */
  flush(): Promise<void>
  source(meter: 'sms' | 'map_call'): MeterSource
}

/** Adds up in memory and writes a row for each company and meter now and then: a stopped server loses a minute at most. */
export function createTallies({ kit }: Pick<MeterDeps, 'kit'>): Tallies {
  const { db, clock } = kit
  let counts = new Map<string, [Meter, number, number]>()
  const flush = async (): Promise<void> => {
    if (counts.size === 0) return
    const writing = counts
    counts = new Map()
    try {
      await db.system((tx) => insertTallies(tx, { tallies: [...writing.values()], at: new Date(clock.now()) }))
    } catch (error) {
      for (const [key, [meter, agentId, quantity]] of writing) {
        counts.set(key, [meter, agentId, quantity + (counts.get(key)?.[2] ?? 0)])
      }
      throw error
    }
  }
  return {
    add: (meter, agentId) => {
      const key = `${meter} ${agentId}`
      const known = counts.get(key)
      if (known === undefined && counts.size >= talliesMax) return
      counts.set(key, [meter, agentId, (known?.[2] ?? 0) + 1])
    },
    flush,
    source: (meter) => ({
      count: async ({ from, to }) => {
        const rows = await db.systemRead((k) => selectTallyCounts({ meter, from, to }).compile(k))
        return rows.map((row) => ({ agentId: row.agent_id, areaId: null, quantity: row.quantity }))
      },
      events: async ({ agentId, from, to }) => {
        const asked = { meter, agentId, from, to, limit: meterEventsMax }
        const rows = await db.systemRead((k) => selectTallies(asked).compile(k))
        return rows.map(({ at, quantity }) => ({ subject: '', at: at.getTime(), quantity }))
      },
    }),
  }
}
