import type { PriceRules } from '@saddle/contract/riding/price.ts'

/** The usual rules as they stand in the fields of a form; yuan, minutes and seconds as text. */
export type Draft = Readonly<
  Record<'start' | 'covered' | 'every' | 'step' | 'cap' | 'free' | 'outOfPlace' | 'outsideArea' | 'noStop', string>
>

const yuan = (cents: number | null): string => (cents === null ? '' : (cents / 100).toFixed(2))

export function draftOf(rules: PriceRules): Draft {
  const [step] = rules.timeSteps
  return {
    start: yuan(rules.startCents),
    covered: String(step?.fromMinute ?? 0),
    every: String(step?.everyMinutes ?? 1),
    step: yuan(step?.cents ?? 0),
    cap: yuan(rules.dayCapCents),
    free: String(rules.freeSeconds),
    outOfPlace: yuan(rules.outOfPlaceCents),
    outsideArea: yuan(rules.outsideAreaCents),
    noStop: rules.noStopReturnAllowed ? yuan(rules.noStopCents) : '',
  }
}

/** Yuan with at most two decimals as cents; null for anything else. */
export function centsOf(text: string): number | null {
  const match = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (match === null) return null
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

const wholeOf = (text: string): number | null => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : null)

/** The rules that the fields say; what has no field stays as it was. Null where a field is no number. */
export function rulesOf(draft: Draft, before: PriceRules): PriceRules | null {
  const isNoStopClosed = draft.noStop.trim() === ''
  const dayCapCents = draft.cap.trim() === '' ? null : centsOf(draft.cap)
  const cents = {
    startCents: centsOf(draft.start),
    outOfPlaceCents: centsOf(draft.outOfPlace),
    outsideAreaCents: centsOf(draft.outsideArea),
    noStopCents: isNoStopClosed ? before.noStopCents : centsOf(draft.noStop),
  }
  const step = { fromMinute: wholeOf(draft.covered), everyMinutes: wholeOf(draft.every), cents: centsOf(draft.step) }
  const freeSeconds = wholeOf(draft.free)
  const isWhole = [...Object.values(cents), ...Object.values(step), freeSeconds].every((value) => value !== null)
  if (!isWhole || (draft.cap.trim() !== '' && dayCapCents === null)) return null
  return {
    ...before,
    ...(cents as Record<keyof typeof cents, number>),
    freeSeconds: freeSeconds ?? 0,
    dayCapCents,
    timeSteps: [step as PriceRules['timeSteps'][number], ...before.timeSteps.slice(1)],
    noStopReturnAllowed: !isNoStopClosed,
  }
}

/** What a field for date and time holds, by business time; undefined for nothing. */
export function startOf(text: string): number | undefined {
  const at = Date.parse(`${text}:00+08:00`)
  return Number.isNaN(at) ? undefined : at
}
