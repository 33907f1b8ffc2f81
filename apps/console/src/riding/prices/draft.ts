import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import { bandsMax, timeStepsMax, type PriceRules } from '@saddle/contract/riding/price.ts'

/** The rules as they stand in the fields of a form; yuan, minutes, metres and seconds as text. */
export type StepDraft = { readonly id: number; readonly from: string; readonly every: string; readonly yuan: string }
export type BandDraft = {
  readonly id: number
  readonly name: string
  /** 1 is Monday. */
  readonly weekdays: readonly number[]
  /** `HH:mm`; an end at midnight is the end of the day. */
  readonly from: string
  readonly to: string
  readonly percent: string
}
export type Amounts = Readonly<
  Record<'start' | 'free' | 'cap' | 'insurance' | 'outOfPlace' | 'outsideArea' | 'noStop', string>
>
export type DistanceDraft = { readonly from: string; readonly every: string; readonly yuan: string }
export type Draft = {
  readonly amounts: Amounts
  readonly steps: readonly StepDraft[]
  readonly bands: readonly BandDraft[]
  /** Null: nothing is charged for the way. */
  readonly distance: DistanceDraft | null
}

/** Initial values for the first version of an area, meant to be changed. */
export const usualRules: PriceRules = {
  freeSeconds: 60,
  startCents: 200,
  timeSteps: [{ fromMinute: 15, everyMinutes: 10, cents: 100 }],
  distance: null,
  bands: [],
  dayCapCents: 2_000,
  insuranceCents: 0,
  outOfPlaceCents: 500,
  outsideAreaCents: 1_000,
  noStopCents: 0,
  noStopReturnAllowed: false,
}

const yuan = (cents: number | null): string => (cents === null ? '' : yuanText(cents))
const minutesOfDay = 1_440
const clock = (minute: number): string => {
  const within = minute % minutesOfDay
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`
}

export function draftOf(rules: PriceRules): Draft {
  return {
    amounts: {
      start: yuan(rules.startCents),
      free: String(rules.freeSeconds),
      cap: yuan(rules.dayCapCents),
      insurance: yuan(rules.insuranceCents),
      outOfPlace: yuan(rules.outOfPlaceCents),
      outsideArea: yuan(rules.outsideAreaCents),
      noStop: rules.noStopReturnAllowed ? yuan(rules.noStopCents) : '',
    },
    steps: rules.timeSteps.map((step, id) => ({
      id,
      from: String(step.fromMinute),
      every: String(step.everyMinutes),
      yuan: yuan(step.cents),
    })),
    bands: rules.bands.map(({ name, weekdays, fromMinute, toMinute, surchargePercent }, id) => ({
      id,
      name,
      weekdays,
      from: clock(fromMinute),
      to: clock(toMinute),
      percent: String(surchargePercent),
    })),
    distance:
      rules.distance === null
        ? null
        : {
            from: String(rules.distance.fromM),
            every: String(rules.distance.everyM),
            yuan: yuan(rules.distance.cents),
          },
  }
}

const nextId = (rows: readonly { readonly id: number }[]): number => Math.max(-1, ...rows.map(({ id }) => id)) + 1

/** One step more, behind the last one; none when there are as many as there may be. */
export function withStep(steps: readonly StepDraft[]): readonly StepDraft[] {
  if (steps.length >= timeStepsMax) return steps
  const last = steps.at(-1)
  const from = String((wholeOf(last?.from ?? '') ?? 0) + 30)
  return [...steps, { id: nextId(steps), from, every: last?.every ?? '10', yuan: last?.yuan ?? '1.00' }]
}

export function withBand(bands: readonly BandDraft[], name: string): readonly BandDraft[] {
  if (bands.length >= bandsMax) return bands
  const everyDay = [1, 2, 3, 4, 5, 6, 7]
  return [...bands, { id: nextId(bands), name, weekdays: everyDay, from: '23:00', to: '05:00', percent: '20' }]
}

/** Up to a million. */
const centsOf = (text: string): number | null => centsOfYuan(text, 6)

const wholeOf = (text: string): number | null => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : null)

function minuteOf(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match === null ? null : Number(match[1]) * 60 + Number(match[2])
}

/** All fields or none: null when a field is not a number. */
function whole<T extends Record<string, number | null>>(values: T): { [K in keyof T]: number } | null {
  return Object.values(values).includes(null) ? null : (values as { [K in keyof T]: number })
}

function all<T, R>(rows: readonly T[], read: (row: T) => R | null): R[] | null {
  const found = rows.map(read)
  return found.includes(null) ? null : found.filter((one): one is R & NonNullable<unknown> => one !== null)
}

const stepOf = ({ from, every, yuan: cents }: StepDraft) =>
  whole({ fromMinute: wholeOf(from), everyMinutes: wholeOf(every), cents: centsOf(cents) })

function bandOf({ name, weekdays, from, to, percent }: BandDraft) {
  const end = minuteOf(to)
  const numbers = whole({
    fromMinute: minuteOf(from),
    toMinute: end === 0 ? minutesOfDay : end,
    surchargePercent: wholeOf(percent),
  })
  return numbers === null ? null : { name: name.trim(), weekdays: weekdays.toSorted((a, b) => a - b), ...numbers }
}

const distanceOf = ({ from, every, yuan: cents }: DistanceDraft) =>
  whole({ fromM: wholeOf(from), everyM: wholeOf(every), cents: centsOf(cents) })

/** The rules from the fields; null when a field is not a number. The schema checks whether they make sense. */
export function rulesOf({ amounts, steps, bands, distance }: Draft, before: PriceRules): PriceRules | null {
  const isNoStopClosed = amounts.noStop.trim() === ''
  const isUncapped = amounts.cap.trim() === ''
  const read = whole({
    startCents: centsOf(amounts.start),
    freeSeconds: wholeOf(amounts.free),
    insuranceCents: centsOf(amounts.insurance),
    outOfPlaceCents: centsOf(amounts.outOfPlace),
    outsideAreaCents: centsOf(amounts.outsideArea),
    noStopCents: isNoStopClosed ? before.noStopCents : centsOf(amounts.noStop),
    cap: isUncapped ? 0 : centsOf(amounts.cap),
  })
  const timeSteps = all(steps, stepOf)
  const surcharges = all(bands, bandOf)
  const way = distance === null ? null : distanceOf(distance)
  if (read === null || timeSteps === null || surcharges === null || (distance !== null && way === null)) return null
  const { cap, ...cents } = read
  return {
    ...cents,
    timeSteps,
    bands: surcharges,
    distance: way,
    dayCapCents: isUncapped ? null : cap,
    noStopReturnAllowed: !isNoStopClosed,
  }
}
