import type { NamedWork, WorkSum, WorkTask } from '@saddle/contract/operations/statistics/work.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { sumColumns, type SumRow } from './store.ts'

const nothing: WorkSum = {
  done: 0,
  cancelled: 0,
  due: 0,
  onTime: 0,
  rejected: 0,
  withPhoto: 0,
  waitSeconds: 0,
  workSeconds: 0,
  payCents: 0,
  partsCents: 0,
  measured: 0,
  batteryBefore: 0,
  batteryAfter: 0,
  persons: 0,
  personDays: 0,
}

function sumOf(row: SumRow): WorkSum {
  const { batteryBefore, batteryAfter, ...sum } = sumColumns.present(row)
  return { ...sum, batteryBefore: batteryBefore / 1_000, batteryAfter: batteryAfter / 1_000 }
}

/** The rows of one query, each where it belongs. */
export function figuresOf(rows: readonly SumRow[], { groups, parts }: { groups: number; parts: number }) {
  const part = (wanted: SumRow['part'], isBefore = false) =>
    rows.filter((row) => row.part === wanted && row.is_before === isBefore)
  const named = (list: readonly SumRow[]): NamedWork[] =>
    list.map((row) => ({ ...sumOf(row), name: row.name, areaId: row.area_id }))
  const most = (list: readonly SumRow[]): NamedWork[] =>
    named(list)
      .toSorted((a, b) => b.done - a.done || (a.name < b.name ? -1 : 1))
      .slice(0, groups)
  const [total] = part('total')
  const [before] = part('total', true)
  return {
    total: total === undefined ? nothing : sumOf(total),
    before: before === undefined ? nothing : sumOf(before),
    days: named(part('day')),
    daysBefore: named(part('day', true)),
    // Cancelled by nobody in particular is no person's work.
    persons: most(part('person').filter((row) => row.name !== '')),
    areas: most(part('area')),
    kinds: most(part('kind')),
    spread: total?.spread ?? Array.from({ length: parts }, () => 0),
  }
}

const minutesOf = (from: number, to: number): number => Math.round((to - from) / (minuteMs / 10)) / 10

/** A task as a file has it: with the minutes of waiting and work together, and of the work alone. */
export const fileRowOf = (task: WorkTask): object => ({
  ...task,
  wholeMinutes: minutesOf(task.openedAt, task.doneAt),
  workMinutes: task.claimedAt === null ? null : minutesOf(task.claimedAt, task.doneAt),
})
