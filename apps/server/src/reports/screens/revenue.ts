import { paymentChannels } from '@saddle/contract/finance/payments.ts'
import type { MetricName } from '@saddle/contract/reports/metrics.ts'
import {
  revenueMetrics,
  screenAreasMax,
  screenTrendDays,
  type RevenueScreen,
} from '@saddle/contract/reports/screens.ts'
import { addDays } from '@saddle/contract/time.ts'
import type { Run } from '#reports/figures/read.ts'
import { selectAreaNames, selectCompanyNames } from '#reports/figures/store.ts'
import { readCompared, readHours, readScreenFigures, readScreenTotal, weekBefore, type ScreenReach } from './figures.ts'
import type { ScreenNow } from './now.ts'

const monthMetrics = ['income', 'netCents', 'rides', 'recharged', 'cardSales'] as const satisfies readonly MetricName[]

/** All that the revenue screen shows of a reach, at one moment. */
export async function readRevenue(run: Run, reach: ScreenReach, now: ScreenNow): Promise<RevenueScreen> {
  const { at, day, until, hoursBegun, company } = now
  const [figures, hours, month, days, channels, areas, companies] = await Promise.all([
    readCompared(run, reach, { metrics: revenueMetrics, day, until }),
    readHours(run, reach, { metric: 'income', day, hoursBegun }),
    readMonth(run, reach, now),
    readDays(run, reach, day),
    readChannels(run, reach, day),
    readRanking(run, reach, { now, by: 'area', metrics: ['netCents', 'rides'] }),
    readRanking(run, reach, { now, by: 'company', metrics: ['income', 'rides'] }),
  ])
  return {
    at: at.getTime(),
    day,
    company,
    areaCount: reach.areaIds.length,
    figures,
    hours,
    month,
    days,
    channels,
    areas: areas.map(({ value: net, until: netUntil, ...row }) => Object.assign(row, { net, netUntil })),
    companies: companies.map(({ value: income, until: incomeUntil, ...row }) =>
      Object.assign(row, { income, incomeUntil }),
    ),
  }
}

/** The month until now, and until the last full hour beside the month before until the same day and hour. */
async function readMonth(run: Run, reach: ScreenReach, { day, until }: ScreenNow): Promise<RevenueScreen['month']> {
  const from = `${day.slice(0, 7)}-01`
  const before = sameDayOfMonthBefore(day)
  const dayShift = Date.parse(day) - Date.parse(before)
  const span = { from, to: day }
  const [now, nowUntil, beforeUntil] = await Promise.all([
    readScreenTotal(run, reach, { metrics: monthMetrics, span }),
    readScreenTotal(run, reach, { metrics: monthMetrics, span, until }),
    readScreenTotal(run, reach, {
      metrics: monthMetrics,
      span: { from: `${before.slice(0, 7)}-01`, to: before },
      until: new Date(until.getTime() - dayShift),
    }),
  ])
  return { from, now, nowUntil, beforeUntil }
}

/** The same day of the month before; its last one where it has fewer days. */
export function sameDayOfMonthBefore(day: string): string {
  const last = addDays(`${day.slice(0, 7)}-01`, -1)
  const same = `${last.slice(0, 7)}${day.slice(7)}`
  return same < last ? same : last
}

async function readDays(run: Run, reach: ScreenReach, day: string): Promise<RevenueScreen['days']> {
  const from = addDays(day, 1 - screenTrendDays)
  const found = await readScreenFigures(run, reach, {
    metrics: ['income', 'rides'],
    by: 'day',
    span: { from, to: day },
  })
  return Array.from({ length: screenTrendDays }, (_, index) => {
    const one = addDays(from, index)
    return { day: one, income: found.get(one)?.income ?? 0, rides: found.get(one)?.rides ?? 0 }
  })
}

async function readChannels(run: Run, reach: ScreenReach, day: string): Promise<RevenueScreen['channels']> {
  const metrics = ['channelPaid', 'channelRefunded'] as const
  const found = await readScreenFigures(run, reach, { metrics, by: 'channel', span: { from: day, to: day } })
  return paymentChannels.flatMap((channel) => {
    const values = found.get(channel)
    const [paid, refunded] = [values?.channelPaid ?? 0, values?.channelRefunded ?? 0]
    return paid === 0 && refunded === 0 ? [] : [{ channel, paid, refunded }]
  })
}

interface Ranking {
  readonly now: ScreenNow
  readonly by: 'area' | 'company'
  /** What is ranked, and rides beside it. */
  readonly metrics: readonly [MetricName, 'rides']
}

async function readRanking(run: Run, reach: ScreenReach, { now, by, metrics }: Ranking) {
  const { day, until, weekUntil } = now
  const [metric] = metrics
  const before = weekBefore(day)
  const today = { from: day, to: day }
  const [whole, wholeUntil, lastWeek, names] = await Promise.all([
    readScreenFigures(run, reach, { metrics, by, span: today }),
    readScreenFigures(run, reach, { metrics: [metric], by, span: today, until }),
    readScreenFigures(run, reach, { metrics: [metric], by, span: { from: before, to: before }, until: weekUntil }),
    run(by === 'area' ? selectAreaNames(reach.areaIds, reach.agentIds) : selectCompanyNames(reach.agentIds)),
  ])
  return names
    .map(({ id, name }) => {
      const key = String(id)
      const values = whole.get(key)
      return {
        name,
        value: values?.[metric] ?? 0,
        until: wholeUntil.get(key)?.[metric] ?? 0,
        lastWeekUntil: lastWeek.get(key)?.[metric] ?? 0,
        rides: values?.rides ?? 0,
      }
    })
    .filter(({ value, lastWeekUntil: then, rides }) => by === 'area' || value !== 0 || then !== 0 || rides !== 0)
    .toSorted((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1))
    .slice(0, screenAreasMax)
}
