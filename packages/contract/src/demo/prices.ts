import type { PriceRules } from '#contract/riding/price.ts'

const minutes = (hour: number): number => hour * 60
const workdays = [1, 2, 3, 4, 5]

/** What a ride of the demo city costs, of the kind that cities of its size know. Its riders are used to it. */
export const demoPriceRules: PriceRules = {
  freeSeconds: 60,
  startCents: 150,
  timeSteps: [
    { fromMinute: 15, everyMinutes: 15, cents: 100 },
    { fromMinute: 60, everyMinutes: 10, cents: 100 },
  ],
  distance: { fromM: 8_000, everyM: 1_000, cents: 50 },
  bands: [
    { name: '早高峰', weekdays: workdays, fromMinute: minutes(7), toMinute: minutes(9), surchargePercent: 20 },
    {
      name: '夜间',
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      fromMinute: minutes(23),
      toMinute: minutes(5),
      surchargePercent: 30,
    },
  ],
  dayCapCents: 3_000,
  insuranceCents: 0,
  outOfPlaceCents: 300,
  outsideAreaCents: 1_000,
  noStopCents: 500,
  noStopReturnAllowed: true,
}
