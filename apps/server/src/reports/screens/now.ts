import type { Run } from '#reports/figures/read.ts'
import { selectNow } from '#reports/figures/store.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { ScreenDay } from './figures.ts'
import { selectCompany, selectHoursBegun } from './store.ts'

/** The moment of an answer, by the company's calendar. */
export interface ScreenNow extends ScreenDay {
  readonly at: Date
  readonly dayStart: Date
  /** The same moment as `until`, a week before. */
  readonly weekUntil: Date
  readonly hoursBegun: readonly string[]
  readonly company: string
}

export async function readScreenNow(
  run: Run,
  {
    agentId,
    agentIds,
    areaIds,
    at,
  }: {
    readonly agentId: number
    readonly agentIds: readonly number[]
    readonly areaIds: readonly number[]
    readonly at: Date
  },
) {
  const [[now], hours, [company]] = await Promise.all([
    run(selectNow({ agentId, at })),
    run(selectHoursBegun({ agentId, at })),
    areaIds.length === 0 ? [] : run(selectCompany({ agentId, agentIds })),
  ])
  if (now === undefined) throw new Error('the calendar has no today')
  return {
    at,
    day: now.today,
    until: now.hour,
    weekUntil: new Date(now.hour.getTime() - 7 * dayMs),
    dayStart: hours[0]?.at ?? now.hour,
    hoursBegun: hours.map(({ hour }) => hour),
    company: company?.company ?? '',
  } satisfies ScreenNow
}
