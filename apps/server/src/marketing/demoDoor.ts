/** Writes the demo's history, in addition to this domain's public part. Used by `apps/server/demo` only. */
export { recordUses, type RecordedUse } from './activities/budget.ts'
export { insertActivity, lockActivity, updateActivity } from './activities/change.ts'
export { createTally } from './activities/tally.ts'
export { controlPercent } from './holdout/holdout.ts'
export { benefitOf as ridingBenefitOf } from './ridingActivities/rules.ts'
export { tierOf } from './rechargeActivities/rules.ts'
export { rechargeSource } from './rechargeActivities/settle.ts'
export { keepUse as keepRechargeUse } from './rechargeActivities/store.ts'
