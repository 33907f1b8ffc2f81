import { z } from 'zod'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { benefitConditionsSchema, benefitSchema } from '#contract/riding/benefits.ts'
import { activityCalls } from './activities.ts'

/** Riding activities: what they take off rides, by time, area, vehicle, weather or parking place. */

const { effect, fromCents, alone } = benefitSchema.shape

/** Effect and conditions are the benefit engine's; areas, limits and who bears it are every activity's. */
export const ridingTermsSchema = z.strictObject({
  effect,
  fromCents,
  conditions: benefitConditionsSchema.omit({ areaIds: true }).prefault({}),
  alone,
})
export type RidingTerms = z.output<typeof ridingTermsSchema>

const calls = activityCalls({
  path: `${basePath}/marketing/ridingActivity`,
  permission: ['1706'],
  terms: ridingTermsSchema,
  title: '骑行活动',
  bodyLimitBytes: bodyLimits.lists,
})

export const ridingActivityEndpoints = defineEndpoints({
  listRidingActivities: calls.list,
  sumRidingActivities: calls.sums,
  exportRidingActivities: calls.file,
  createRidingActivity: calls.create,
  changeRidingActivity: calls.change,
  switchRidingActivity: { ...calls.switchState, reverse: 'switchRidingActivity' },
  ridingActivityVersions: calls.versions,
  previewRidingActivity: calls.preview,
})
