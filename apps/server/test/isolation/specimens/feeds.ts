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
} satisfies Partial<Specimens>

export const otherFeedSpecimens = {
  feedPublication: [() => ({})],
} satisfies OtherSpecimens
