import { expect, it } from 'vitest'
import type { LifeEntry } from '@saddle/contract/fleet/life.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { command } from '../operation-map/vehicle.fixture.ts'
import { foldRides } from './rides.ts'

const start = Date.UTC(2026, 10, 21, 2)
const end = start + 12 * minuteMs
const event = (at: number, name: string): LifeEntry => ({
  kind: 'event',
  at,
  event: name,
  from: 'available',
  to: 'on_trip',
  cause: 'rider',
})
const given = (at: number, operatorName: string, reason: string): LifeEntry => ({
  kind: 'command',
  at,
  command: command({ id: at, operatorName, reason }),
})
const trip = (id: number, startedAt: number, endedAt: number | null): LifeEntry => ({
  kind: 'trip',
  at: startedAt,
  trip: {
    id,
    vehicleId: 1,
    number: 'SD100001',
    areaId: 31,
    startedAt,
    endedAt,
    start: null,
    end: null,
    distanceM: 2_340,
    durationSeconds: 720,
    batteryStart: 80,
    batteryEnd: 76,
  },
})
const app = reasonOf('byApp')

it('tells a ride once, with its order, and keeps what a person did meanwhile', () => {
  const person = given(start + minuteMs, '林岚', '骑行者来电')
  const parts = [
    given(end, app, reasonOf('ofOrder', { order: 115_483 })),
    event(end, 'trip_end'),
    event(start, 'trip_start'),
    given(start - 5_000, app, reasonOf('unlock')),
  ]
  const [lock, ended, started, unlock] = parts
  const ride = trip(7, start, end)
  const lines = foldRides([lock!, ended!, person, started!, ride, unlock!])
  expect(lines).toEqual([
    { entry: person, parts: [], orderId: null },
    { entry: ride, parts, orderId: 115_483 },
  ])
})

it('keeps the start of a ride whose trip is on another page', () => {
  const started = event(start, 'trip_start')
  expect(foldRides([started])).toEqual([{ entry: started, parts: [], orderId: null }])
})

it('puts what comes between two rides to the one that it belongs to', () => {
  const next = end + 10 * minuteMs
  const [first, second] = [trip(7, start, end), trip(8, next, null)]
  const [ended, started] = [event(end, 'trip_end'), event(next, 'trip_start')]
  expect(foldRides([started, second, ended, first]).map(({ parts }) => parts)).toEqual([[started], [ended]])
})
