import type { OtherSpecimens, Specimens } from './specimen.ts'

const webhook = { name: 'isolation', url: 'https://example.com/hook', events: ['statement' as const] }
const form = { formFactor: 'bicycle', propulsion: 'electric_assist', maxRangeM: 40_000 } as const

const cityDocuments = {
  policies: JSON.stringify({
    version: '2.0.2',
    policies: [
      {
        name: 'isolation',
        policy_id: '10000000-0000-4000-8000-000000000001',
        description: '',
        start_date: 1_790_000_000_000,
        published_date: 1_780_000_000_000,
        rules: [
          {
            name: 'isolation',
            rule_id: '10000000-0000-4000-8000-000000000002',
            rule_type: 'count',
            rule_units: 'devices',
            geographies: ['10000000-0000-4000-8000-000000000003'],
            states: {},
            maximum: 10,
          },
        ],
      },
    ],
  }),
  geographies: JSON.stringify({
    version: '2.0.2',
    geographies: [
      {
        name: 'isolation',
        geography_id: '10000000-0000-4000-8000-000000000003',
        geography_json: {
          type: 'Polygon',
          coordinates: [
            [
              [120, 31],
              [120.1, 31],
              [120.1, 31.1],
              [120, 31.1],
              [120, 31],
            ],
          ],
        },
      },
    ],
  }),
}

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
  rotatePartnerKey: (of) => ({ id: of.partner.keyId, version: 1 }),
  revokePartnerKey: (of) => ({ id: of.partner.keyId }),
  listWebhooks: (of) => ({ agentId: of.agentId }),
  createWebhook: (of) => ({ agentId: of.agentId, ...webhook }),
  changeWebhook: (of) => ({ id: of.partner.webhookId, version: 1, ...webhook }),
  rotateWebhookSecret: (of) => ({ id: of.partner.webhookId, version: 1 }),
  setWebhookState: (of) => ({ id: of.partner.webhookId, version: 1, state: 'paused' }),
  testWebhook: (of) => ({ id: of.partner.webhookId }),
  removeWebhook: (of) => ({ id: of.partner.webhookId }),
  listWebhookDeliveries: () => ({}),
  exportWebhookDeliveries: () => ({}),
  replayWebhookDeliveries: (of) => ({ ids: [of.partner.deliveryId] }),
  listJurisdictions: (of) => ({ agentId: of.agentId }),
  saveMdsProvider: (of) => ({ agentId: of.agentId, providerId: '7d8f2a44-3f6b-4d1a-9a53-0c8f00000001', version: 1 }),
  createJurisdiction: (of) => ({ agentId: of.agentId, name: 'isolation', areaIds: [of.areaIds[0]] }),
  endJurisdiction: (of) => ({ id: of.mds.jurisdictionId, version: 1 }),
  createMdsClient: (of) => ({ jurisdictionId: of.mds.jurisdictionId, name: 'isolation', days: 1 }),
  revokeMdsClient: (of) => ({ id: of.mds.clientId }),
  saveMdsAgency: (of) => ({ jurisdictionId: of.mds.jurisdictionId, url: 'https://example.com/mds', version: 1 }),
  setMdsAgencyState: (of) => ({ jurisdictionId: of.mds.jurisdictionId, version: 1, state: 'on' }),
  retryMdsPushes: (of) => ({ jurisdictionId: of.mds.jurisdictionId }),
  removeMdsAgency: (of) => ({ jurisdictionId: of.mds.jurisdictionId, version: 1 }),
  listMdsPolicies: (of) => ({ jurisdictionId: of.mds.jurisdictionId }),
  bringMdsPolicies: (of) => ({ jurisdictionId: of.mds.jurisdictionId, ...cityDocuments }),
  mdsCapEffect: (of) => ({ ruleId: of.mds.ruleId }),
  takeMdsRule: (of) => ({ ruleId: of.mds.ruleId, version: 1 }),
  undoMdsRule: (of) => ({ ruleId: of.mds.takenRuleId, version: 1 }),
  removeMdsPolicy: (of) => ({ id: of.mds.sparePolicyId }),
} satisfies Partial<Specimens>

export const otherFeedSpecimens = {
  feedPublication: [() => ({})],
  listPartnerKeys: [() => ({})],
  listWebhooks: [() => ({})],
  listWebhookDeliveries: [
    (of) => ({ filter: { webhookIds: [of.partner.webhookId] } }),
    () => ({ filter: { events: ['test'], states: ['failed'] } }),
  ],
  listJurisdictions: [() => ({})],
} satisfies OtherSpecimens
