/** Choosing among 20 benefits for a ride, beside pricing the same ride without any: `node bench/benefits.ts [--quick]`. */
import { benefitSchema, type Benefit } from '@saddle/contract/riding/benefits.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { priceRide } from '@saddle/server/riding/pricing/pricing.ts'
import { isQuick, judge, median, state } from './lib/report.ts'

const rounds = isQuick ? 5 : 15
const perRound = isQuick ? 2_000 : 10_000
const goalUs = 100

const rules = {
  freeSeconds: 60,
  startCents: 200,
  timeSteps: [{ fromMinute: 10, everyMinutes: 10, cents: 100 }],
  distance: { fromM: 2_000, everyM: 1_000, cents: 50 },
  bands: [],
  dayCapCents: 3_000,
  insuranceCents: 0,
  outOfPlaceCents: 500,
  outsideAreaCents: 1_500,
  noStopCents: 1_000,
  noStopReturnAllowed: false,
}
const startedAt = Date.UTC(2026, 10, 21, 2)
const ride = {
  startedAt,
  endedAt: startedAt + 47 * minuteMs,
  distanceM: 6_500,
  returnKind: 'in_place' as const,
  areaId: 31,
  model: null,
  weather: null,
  spentByDay: {},
}

const benefit = (given: Pick<Benefit, 'kind' | 'id' | 'effect' | 'fromCents'>): Benefit =>
  benefitSchema.parse({ ...given, name: `${given.kind} ${given.id}` })
/** One card of each kind, eight activities and ten coupons that all differ: the most combinations of 20. */
const benefits = [
  benefit({ kind: 'riding_card', id: 1, effect: { off: 'minutes', minutes: 15 }, fromCents: 0 }),
  benefit({ kind: 'discount_card', id: 2, effect: { off: 'percent', percent: 10, maxCents: null }, fromCents: 0 }),
  ...Array.from({ length: 8 }, (_, at) =>
    benefit({
      kind: 'activity',
      id: 10 + at,
      effect: { off: 'percent', percent: 5 + at, maxCents: 100 + at },
      fromCents: 50 * at,
    }),
  ),
  ...Array.from({ length: 10 }, (_, at) =>
    benefit({ kind: 'coupon', id: 20 + at, effect: { off: 'cents', cents: 50 + 30 * at }, fromCents: 80 * at }),
  ),
]

/** Microseconds of processor time a ride, the median of the rounds: what else the machine does plays a smaller part. */
function measure(held: readonly Benefit[]): number {
  let cents = 0
  const took = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    for (let at = 0; at < perRound; at += 1) cents += priceRide(rules, { ...ride, benefits: held }).totalCents
    const { user, system } = process.cpuUsage(before)
    return (user + system) / perRound
  })
  if (!(cents > 0)) throw new Error('the ride costs nothing')
  return median(took)
}

measure(benefits)
const plain = measure([])
const whole = measure(benefits)
state('a ride without benefits', `${plain.toFixed(1)} µs`)
state('a ride with 20 benefits', `${whole.toFixed(1)} µs`)
judge({
  what: 'choosing the best of 20 benefits',
  figure: `${(whole - plain).toFixed(1)} µs`,
  isMet: whole - plain <= goalUs,
  goal: `<= ${goalUs} µs`,
})
