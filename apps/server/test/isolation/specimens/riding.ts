import { testPriceRules } from '#test/rides.ts'
import type { OtherSpecimens, Specimens } from './specimen.ts'

export const ridingSpecimens = {
  searchOrders: () => ({}),
  sumOrders: () => ({}),
  riderOrders: (of) => ({ filter: { phone: of.riderPhone } }),
  exportRiderOrders: (of) => ({ filter: { riderId: of.riderId } }),
  orderDetail: (of) => ({ id: of.orderIds[0] }),
  exportOrders: () => ({}),
  listPriceVersions: () => ({}),
  publishPriceVersion: (of) => ({ areaIds: [of.areaIds[0]], name: 'isolation', rules: testPriceRules }),
  withdrawPriceVersions: (of) => ({ areaIds: [of.areaIds[0]] }),
  comparePrices: (of) => ({ areaIds: [of.areaIds[0]], rules: testPriceRules }),
  itineraryCost: (of) => ({ orderId: of.orderIds[0] }),
  tryBenefit: (of) => ({
    benefit: { kind: 'coupon', id: 0, name: 'isolation', effect: { off: 'cents', cents: 100 } },
    ride: {
      areaId: of.areaIds[0],
      startedAt: Date.UTC(2026, 10, 21),
      minutes: 30,
      distanceM: 2_000,
      returnKind: 'in_place',
      model: null,
      weather: null,
    },
  }),
  listReturnReviews: () => ({}),
  sumReturnReviews: () => ({}),
  exportReturnReviews: () => ({}),
  returnPhotos: (of) => ({ orderId: of.orderIds[0] }),
  decideReturns: (of) => ({ orderIds: [of.orderIds[0]], decision: 'waived' }),
  refundOutlook: (of) => ({ orderId: of.orderIds[0] }),
  refundOrder: (of) => ({ orderId: of.orderIds[0], reason: 'isolation' }),
} satisfies Partial<Specimens>

export const otherRidingSpecimens = {
  returnPhotos: [(of) => ({ orderId: of.orderIds[1] })],
  searchOrders: [
    (of) => ({ filter: { phone: of.riderPhone } }),
    (of) => ({ filter: { vehicleNumber: of.vehicleNumber } }),
    (of) => ({ filter: { areaIds: [...of.areaIds] } }),
    (of) => ({ filter: { areaIds: [...of.areaIds], states: ['paid'], amountFromCents: 500 } }),
  ],
  orderDetail: [(of) => ({ id: of.orderIds[1] })],
  exportOrders: [(of) => ({ filter: { areaIds: [...of.areaIds] } })],
  listPriceVersions: [(of) => ({ areaId: of.areaIds[0] })],
  listReturnReviews: [
    (of) => ({ filter: { areaIds: [...of.areaIds] } }),
    (of) => ({ filter: { disputed: true, phone: of.riderPhone } }),
  ],
  exportReturnReviews: [(of) => ({ filter: { areaIds: [...of.areaIds] } })],
  decideReturns: [(of) => ({ orderIds: [...of.orderIds], decision: 'kept' })],
  refundOrder: [(of) => ({ orderId: of.orderIds[1], lines: [1], reason: 'isolation' })],
} satisfies OtherSpecimens
