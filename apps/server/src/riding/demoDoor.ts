/** Writes the demo's history, in addition to this domain's public part. Used by `apps/server/demo` only. */
export { feeOf, insertLines } from './charges/store.ts'
export { insertVersion, selectInForce, versionOf } from './prices/store.ts'
export { benefitRulesVersion } from './pricing/benefits.ts'
export { priceRide, ridingByDay, type Price } from './pricing/pricing.ts'
export { judgeReturn, type Judgement, type Zones } from './returns/judge.ts'
export { keepReturnPhotos } from './returns/photos.ts'
export { zonesOf } from './returns/zones.ts'
