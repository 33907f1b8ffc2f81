import type { OtherSpecimens, Specimens } from './specimen.ts'

const form = { formFactor: 'bicycle', propulsion: 'electric_assist', maxRangeM: 40_000 } as const

export const feedSpecimens = {
  feedPublication: (of) => ({ agentId: of.agentId }),
  saveFeedPublication: (of) => ({
    agentId: of.agentId,
    isPublic: false,
    contactEmail: 'isolation@example.com',
    version: 1,
  }),
  saveVehicleForm: (of) => ({ agentId: of.agentId, model: 'SD-E2', ...form, version: 1 }),
  listPartnerKeys: (of) => ({ agentId: of.agentId }),
  createPartnerKey: (of) => ({ agentId: of.agentId, name: 'isolation', scopes: ['areas'], perMinute: 10, days: 1 }),
  rotatePartnerKey: (of) => ({ id: of.partnerKeyId, version: 1 }),
  revokePartnerKey: (of) => ({ id: of.partnerKeyId }),
} satisfies Partial<Specimens>

export const otherFeedSpecimens = {
  feedPublication: [() => ({})],
  listPartnerKeys: [() => ({})],
} satisfies OtherSpecimens
