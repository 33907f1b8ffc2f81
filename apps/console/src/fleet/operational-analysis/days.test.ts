import { describe, expect, it } from 'vitest'
import type { FleetDay } from '@saddle/contract/fleet/analysis.ts'
import { changeOf, daysBetween, spanBefore, sumOf } from './days.ts'

const day = (part: Partial<FleetDay>): FleetDay => ({
  day: '2026-11-20',
  areaId: 1,
  areaName: '城北',
  agentId: 3,
  company: '青禾出行',
  vehicles: 100,
  ridden: 50,
  trips: 200,
  rideSeconds: 0,
  distanceM: 0,
  turnover: 2,
  utilisation: 0.1,
  idleShare: 0.5,
  batteryPercent: 60,
  lowBattery: 3,
  ...part,
})

describe('figures of several days', () => {
  it('are weighed by vehicles', () => {
    const sum = sumOf([day({}), day({ vehicles: 300, trips: 0, utilisation: 0, idleShare: 1, batteryPercent: null })])
    expect(sum).toMatchObject({ vehicles: 400, trips: 200, turnover: 0.5, lowBattery: 6, batteryPercent: 60 })
    expect(sum.utilisation).toBeCloseTo(0.025)
    expect(sum.idleShare).toBeCloseTo(0.875)
    expect(sumOf([])).toMatchObject({ vehicles: 0, turnover: 0, batteryPercent: null })
  })

  it('are compared with as many days before', () => {
    expect(spanBefore('2026-11-15', '2026-11-21')).toEqual({ from: '2026-11-08', to: '2026-11-14' })
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(changeOf(150, 100)).toBe(50)
    expect(changeOf(1, 0)).toBeNull()
  })
})
