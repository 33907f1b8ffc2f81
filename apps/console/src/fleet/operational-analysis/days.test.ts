import { describe, expect, it } from 'vitest'
import type { FleetDay } from '@saddle/contract/fleet/analysis.ts'
import { sumOf } from './days.ts'

const day = (part: Partial<FleetDay>): FleetDay => ({
  day: '2026-11-20',
  areaId: 1,
  areaName: '城北',
  agentId: 3,
  company: '青禾出行',
  vehicles: 100,
  ridden: 50,
  trips: 200,
  rideSeconds: 864_000,
  distanceM: 0,
  turnover: 2,
  utilisation: 0.1,
  dayShare: 1,
  idleShare: 0.5,
  batteryPercent: 60,
  lowBattery: 3,
  ...part,
})

describe('figures of several days', () => {
  it('are weighed by vehicles', () => {
    const sum = sumOf([
      day({}),
      day({ vehicles: 300, ridden: 0, trips: 0, rideSeconds: 0, idleShare: 1, batteryPercent: null }),
    ])
    expect(sum).toMatchObject({ vehicles: 400, trips: 200, turnover: 0.5, lowBattery: 6, batteryPercent: 60 })
    expect(sum.utilisation).toBeCloseTo(0.025)
    expect(sum.idleShare).toBeCloseTo(0.875)
    // Of a day that runs only what is over counts.
    expect(sumOf([day({ dayShare: 0.25 })]).utilisation).toBeCloseTo(0.4)
    expect(sumOf([])).toMatchObject({ vehicles: 0, turnover: 0, batteryPercent: null })
  })
})
