import { AppError } from '@saddle/contract/errors.ts'
import {
  campaignFields,
  campaignList,
  campaignRiderFields,
  campaignRiderList,
  type campaignEndpoints,
} from '@saddle/contract/marketing/campaigns.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { CouponDeps } from '../coupons/deps.ts'
import { actOnCampaign, changeCampaign, createCampaign, setMarketingSetting, testCampaign } from './campaigns.ts'
import {
  campaignRiderRows,
  campaignRows,
  presentCampaign,
  presentCampaignRider,
  presentVersion,
  readSetting,
  selectVersions,
} from './store.ts'

/** Campaigns, what became of each rider, and the limits of a company for all of them. */
export function createCampaignHandlers(deps: CouponDeps): Handlers<typeof campaignEndpoints> {
  const { kit, riders } = deps
  const campaigns = serveList(deps, campaignList, {
    name: 'campaigns',
    rows: campaignRows,
    present: presentCampaign,
    file: { action: 'campaign.export', fields: campaignFields },
  })
  const reached = serveList(deps, campaignRiderList, {
    name: 'campaign-riders',
    rows: campaignRiderRows,
    present: ({ phone_sealed, phone_hash, ...row }) => ({
      ...presentCampaignRider({ phone_sealed, phone_hash, ...row }),
      phone: riders.maskedPhone({ phone_sealed, phone_hash }),
    }),
    file: { action: 'campaign.export', fields: campaignRiderFields },
  })
  return {
    listCampaigns: campaigns.page,
    exportCampaigns: campaigns.file,
    createCampaign: async (input, call) => ({ suc: true, data: await createCampaign(deps, call, input) }),
    changeCampaign: async (input, call) => ({ suc: true, data: await changeCampaign(deps, call, input) }),
    campaignVersions: async ({ id }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectVersions({ id, scope }).compile(k))
      if (rows.length === 0) throw new AppError('not_found')
      return { suc: true, data: { list: rows.map(presentVersion) } }
    },
    actOnCampaign: async (input, call) => ({ suc: true, data: await actOnCampaign(deps, call, input) }),
    testCampaign: async (input, call) => ({ suc: true, data: await testCampaign(deps, call, input) }),
    listCampaignRiders: reached.page,
    exportCampaignRiders: reached.file,
    marketingSetting: async ({ agentId }, { scope }) => {
      if (!scope.agentIds.includes(agentId)) throw new AppError('not_found')
      return { suc: true, data: await kit.db.withScope(scope, (tx) => readSetting(tx, agentId)) }
    },
    setMarketingSetting: async (input, call) => ({ suc: true, data: await setMarketingSetting(deps, call, input) }),
  }
}
