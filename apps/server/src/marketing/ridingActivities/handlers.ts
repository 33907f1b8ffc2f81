import { ridingTermsSchema, type ridingActivityEndpoints } from '@saddle/contract/marketing/ridingActivities.ts'
import type { Handlers } from '#kit/call.ts'
import type { Riding } from '#riding/public.ts'
import type { ActivityDeps } from '../activities/deps.ts'
import { serveActivities } from '../activities/handlers.ts'
import { previewOf } from './preview.ts'

/** Riding activities. */
export function createRidingActivityHandlers(
  deps: ActivityDeps & { readonly riding: Pick<Riding, 'tryBenefit'> },
): Handlers<typeof ridingActivityEndpoints> {
  const served = serveActivities(deps, {
    kind: 'riding',
    terms: ridingTermsSchema,
    fileName: 'riding-activities',
    preview: (asked) => previewOf(deps, asked),
  })
  return {
    listRidingActivities: served.list,
    sumRidingActivities: served.sums,
    exportRidingActivities: served.file,
    createRidingActivity: served.create,
    changeRidingActivity: served.change,
    switchRidingActivity: served.switchState,
    ridingActivityVersions: served.versions,
    previewRidingActivity: served.preview,
  }
}
