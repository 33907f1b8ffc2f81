import { describe, expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { planeM } from '@saddle/geo/earth.ts'
import { courseDeg, glide, positionAt } from './glide.ts'

const home = { lng: 120.7, lat: 31.3 }
const near = { lng: 120.701, lat: 31.3 }

describe('glide', () => {
  it('takes as long as the report before it was ago, within bounds', () => {
    const first = glide({ last: undefined, from: home, to: near, nowMs: 0 })
    expect(first.durationMs).toBe(400)
    expect(glide({ last: first, from: near, to: home, nowMs: 2_000 }).durationMs).toBe(2_000)
    expect(glide({ last: first, from: near, to: home, nowMs: minuteMs }).durationMs).toBe(4_000)
    expect(glide({ last: first, from: near, to: home, nowMs: 10 }).durationMs).toBe(400)
  })

  it('goes on from where the vehicle is drawn, not from where it was reported', () => {
    const first = glide({ last: undefined, from: home, to: near, nowMs: 0 })
    const second = glide({ last: first, from: near, to: { lng: 120.702, lat: 31.3 }, nowMs: 200 })
    expect(second.from.lng).toBeCloseTo(120.7005, 6)
    expect(positionAt(second, 200).lng).toBeCloseTo(120.7005, 6)
  })

  it('does not glide across the city', () => {
    const far = { lng: 120.8, lat: 31.3 }
    expect(positionAt(glide({ last: undefined, from: home, to: far, nowMs: 0 }), 0)).toEqual(far)
  })

  it('tells the course of a move, but not of noise', () => {
    expect(courseDeg(home, { lng: 120.7, lat: 31.31 })).toBeCloseTo(0, 5)
    expect(courseDeg(home, near)).toBeCloseTo(90, 5)
    expect(courseDeg(home, { lng: 120.7, lat: 31.29 })).toBeCloseTo(180, 5)
    expect(courseDeg(near, home)).toBeCloseTo(270, 5)
    expect(courseDeg(home, { lng: 120.70002, lat: 31.3 })).toBeNull()
  })

  it('measures metres', () => {
    expect(planeM(home, { lng: 120.7, lat: 31.309 })).toBeCloseTo(1002, -1)
    expect(planeM(home, near)).toBeCloseTo(95, 0)
  })
})
