import { describe, expect, it } from 'vitest'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import type { ListedReview } from '@saddle/contract/riding/returns.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { sameSpot } from './spots.ts'

const noon = Date.UTC(2026, 10, 21, 4)
const metre = 1 / metresPerDegree
const review = (orderId: number, more: Partial<ListedReview> = {}): ListedReview => ({
  orderId,
  openedAt: noon,
  cause: 'fee',
  claim: '',
  feeCents: 300,
  state: 'open',
  decidedAt: null,
  decidedBy: null,
  note: '',
  number: String(orderId),
  riderId: 7,
  vehicleNumber: 'SD000001',
  riderPhone: '137****0001',
  areaId: 31,
  areaName: '城北',
  endedAt: noon,
  chargedCents: 700,
  refundedCents: 0,
  returnKind: 'out_of_place',
  distanceM: 40,
  lat: 31.3,
  lng: 120.6,
  photoCount: 0,
  ...more,
})

describe('returns of one spot', () => {
  it.each([
    ['29 m away', { lat: 31.3 + 29 * metre }, true],
    ['31 m away', { lat: 31.3 + 31 * metre }, false],
    ['of the day before', { endedAt: noon - dayMs }, false],
    ['decided already', { state: 'kept' as const }, false],
    ['judged otherwise', { returnKind: 'no_stop' as const }, false],
    ['without a position', { lat: null, lng: null }, false],
  ])('another one %s', (_, more, isOfSpot) => {
    const [one, other] = [review(1), review(2, more)]
    expect(sameSpot(one, [one, other])).toEqual(isOfSpot ? [other] : [])
  })

  it('is not known without a position', () => {
    expect(sameSpot(review(1, { lat: null, lng: null }), [review(2)])).toEqual([])
  })
})
