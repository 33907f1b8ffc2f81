import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  curveText,
  faultOfCurve,
  isOfPack,
  parseCurve,
  percentAt,
  usualCurve,
  type CurvePoint,
} from '@saddle/contract/fleet/batteryCurve.ts'
import { dayMs } from '@saddle/contract/time.ts'
import {
  judgeBattery,
  lowBatteryAfter,
  nothingKnown,
  nothingSaidOfBattery,
  type BatteryKnown,
  type BatteryReading,
  type BatteryScheme,
} from './rules.ts'

const points = [
  { voltageV: 40, percent: 0 },
  { voltageV: 45, percent: 50 },
  { voltageV: 50, percent: 100 },
]
const scheme: BatteryScheme = { versionId: 7, points, hysteresisPercent: 3, loadDropV: 1, chargeRiseV: 2 }
const at = Date.UTC(2026, 10, 22)

const said = (facts: Partial<BatteryReading>): BatteryReading => ({
  occurredAt: at,
  receivedAt: facts.occurredAt ?? at,
  batteryPercent: null,
  voltageV: null,
  locked: null,
  charging: null,
  ...facts,
})

function shown(readings: readonly BatteryReading[], of: BatteryScheme | null = scheme): (number | null)[] {
  let known: BatteryKnown = nothingKnown
  return readings.map((reading) => {
    const judged = judgeBattery(known, reading, of)
    known = judged.known
    return judged.percent
  })
}

it('reads a curve between its points, and flat beyond its ends', () => {
  expect([38, 40, 42.5, 45, 48, 50, 60].map((voltageV) => percentAt(points, voltageV))).toEqual([
    0, 0, 25, 50, 80, 100, 100,
  ])
  const curve = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 100, max: 9_000 }), fc.integer({ min: 1, max: 99 })), {
      selector: ([, percent]) => percent,
      maxLength: 20,
    })
    .map((pairs): CurvePoint[] => {
      const volts = [...new Set(pairs.map(([volt]) => volt))].toSorted((one, other) => one - other)
      const shares = pairs.map(([, percent]) => percent).toSorted((one, other) => one - other)
      const middle = volts.map((volt, index) => ({ voltageV: volt / 100, percent: shares[index] ?? 99 }))
      const inside = middle.filter(({ voltageV }) => voltageV > 1)
      return [{ voltageV: 1, percent: 0 }].concat(inside, { voltageV: 100, percent: 100 })
    })
  fc.assert(
    fc.property(
      curve,
      fc.double({ min: 0, max: 120, noNaN: true }),
      fc.double({ min: 0, max: 20, noNaN: true }),
      (drawn, low, step) => {
        expect(faultOfCurve(drawn)).toBeNull()
        expect(percentAt(drawn, low + step)).toBeGreaterThanOrEqual(percentAt(drawn, low))
        const read = parseCurve(curveText(drawn))
        expect(read.points).toEqual(drawn)
      },
    ),
  )
})

it('names what is wrong with a curve', () => {
  expect(faultOfCurve(usualCurve)).toBeNull()
  expect(faultOfCurve([])).toEqual({ fault: 'few', at: 0 })
  expect(
    faultOfCurve([
      { voltageV: 40, percent: 5 },
      { voltageV: 50, percent: 100 },
    ]),
  ).toEqual({ fault: 'start', at: 0 })
  expect(
    faultOfCurve([
      { voltageV: 40, percent: 0 },
      { voltageV: 50, percent: 90 },
    ]),
  ).toEqual({ fault: 'end', at: 1 })
  expect(faultOfCurve([...points.slice(0, 2), { voltageV: 45, percent: 100 }])).toEqual({ fault: 'order', at: 2 })
  expect(
    faultOfCurve([
      { voltageV: 40.123, percent: 0 },
      { voltageV: 50, percent: 100 },
    ]),
  ).toEqual({ fault: 'number', at: 0 })
  expect(parseCurve('电压,电量\n54.6V,100%\n39,0').points).toEqual([
    { voltageV: 39, percent: 0 },
    { voltageV: 54.6, percent: 100 },
  ])
  expect(parseCurve('39,0\nx,100')).toEqual({ points: null, line: 2 })
})

it('shows no change that is smaller than the hysteresis, except at the ends', () => {
  const volts = [45, 45.2, 45.3, 45.29, 49.9, 50, 49.9, 40.1, 40]
  const readings = volts.map((voltageV, n) => said({ voltageV, occurredAt: at + n, locked: true }))
  expect(shown(readings)).toEqual([50, 50, 53, 53, 99, 100, 100, 1, 0])
})

it('reads a voltage under load or at the charger as the voltage at rest', () => {
  expect(shown([said({ voltageV: 44, locked: false })])).toEqual([50])
  expect(shown([said({ voltageV: 47, charging: true, locked: false })])).toEqual([50])
  // The lock is known from the message before.
  expect(shown([said({ locked: false }), said({ voltageV: 44, occurredAt: at + 1 })])).toEqual([null, 50])
})

it('takes no voltage of another pack, and no percentage of the device beside a voltage', () => {
  expect(isOfPack(points, 4.12)).toBe(false)
  expect(shown([said({ voltageV: 4.12, batteryPercent: 80 })])).toEqual([80])
  const readings = [
    said({ voltageV: 45, batteryPercent: 70 }),
    said({ batteryPercent: 70, occurredAt: at + 1 }),
    said({ batteryPercent: 60, occurredAt: at + dayMs }),
  ]
  expect(shown(readings)).toEqual([50, null, 60])
  expect(shown(readings, null)).toEqual([70, 70, 60])
})

it('reads a late voltage by itself and changes nothing that is known', () => {
  const readings = [
    said({ voltageV: 45 }),
    said({ voltageV: 47, occurredAt: at - 1, receivedAt: at + 1 }),
    said({ voltageV: 45.2, occurredAt: at + 2 }),
  ]
  expect(shown(readings)).toEqual([50, 70, 50])
})

it('shows what another version says at once', () => {
  const { known } = judgeBattery(nothingKnown, said({ voltageV: 45 }), scheme)
  const next = {
    ...scheme,
    versionId: 8,
    points: [
      { voltageV: 40, percent: 0 },
      { voltageV: 50.2, percent: 100 },
    ],
  }
  expect(judgeBattery(known, said({ voltageV: 45, occurredAt: at + 1 }), next)).toMatchObject({
    percent: 49,
    versionId: 8,
  })
})

it('opens the low-battery alarm as the rule of all alarms does', () => {
  const percents = [30, 19, 18, 24, 25, 19, 40]
  let alarm = nothingSaidOfBattery
  const opened = percents.map((batteryPercent, n) => {
    alarm = lowBatteryAfter(alarm, { ...said({ batteryPercent, occurredAt: at + n }), alarms: [] })
    return alarm.opened
  })
  expect(opened).toEqual([0, 1, 1, 1, 1, 2, 2])
})
