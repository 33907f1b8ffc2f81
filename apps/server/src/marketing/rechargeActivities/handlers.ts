import {
  rechargeTermsSchema,
  rechargeUseFields,
  rechargeUseList,
  rewardsOfTier,
  type rechargeActivityEndpoints,
} from '@saddle/contract/marketing/rechargeActivities.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import { serveActivities } from '../activities/handlers.ts'
import type { RechargeDeps } from './deps.ts'
import { previewOf } from './preview.ts'
import { presentUse, useRows } from './store.ts'

/** Recharge activities, and the recharges that used them. */
export function createRechargeActivityHandlers(deps: RechargeDeps): Handlers<typeof rechargeActivityEndpoints> {
  const { kit, riders, rewards } = deps
  const served = serveActivities(deps, {
    kind: 'recharge',
    terms: rechargeTermsSchema,
    fileName: 'recharge-activities',
    // Coupons and cards are the company's own: reading what they are worth throws not_found where they are not.
    check: async (tx, { agentId, terms }) => {
      const at = new Date(kit.clock.now())
      for (const tier of terms.tiers) await rewards.price(tx, { agentId, at, rewards: rewardsOfTier(tier) })
    },
    preview: (asked) => previewOf(deps, asked),
  })
  const uses = serveList(deps, rechargeUseList, {
    name: 'recharge-uses',
    prepare: async (filter, { scope }) => ({ riderIds: await riders.idsOf(scope, filter) }),
    rows: useRows,
    present: ({ phone_sealed, phone_hash, ...row }) => {
      const phone = riders.maskedPhone({ phone_sealed, phone_hash })
      return { ...presentUse({ phone_sealed, phone_hash, ...row }), phone }
    },
    file: { action: 'activity.export', fields: rechargeUseFields },
  })
  return {
    listRechargeActivities: served.list,
    sumRechargeActivities: served.sums,
    exportRechargeActivities: served.file,
    createRechargeActivity: served.create,
    changeRechargeActivity: served.change,
    switchRechargeActivity: served.switchState,
    rechargeActivityVersions: served.versions,
    previewRechargeActivity: served.preview,
    listRechargeUses: uses.page,
    sumRechargeUses: uses.sums,
    exportRechargeUses: uses.file,
  }
}
