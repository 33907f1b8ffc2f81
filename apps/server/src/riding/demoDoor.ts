/** What the demo's past is written with, besides the public part of this domain. Only `apps/server/demo` imports it. */
export { feeOf, insertLines } from './charges/store.ts'
export { insertVersion, selectInForce, versionOf } from './prices/store.ts'
export { priceRide, ridingByDay, type Price } from './pricing/pricing.ts'
export { judgeReturn, type Judgement, type Zones } from './returns/judge.ts'
export { keepReturnPhotos } from './returns/photos.ts'
export { zonesOf } from './returns/zones.ts'
