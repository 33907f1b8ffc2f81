import { testActivityCommon, testRidingTerms } from '#test/activities.ts'
import { testRechargeTerms } from '#test/recharges.ts'
import { testSegmentTerms } from '#test/campaigns.ts'
import { testCouponTerms } from '#test/coupons.ts'
import { testFixedTerms, testTaskTerms } from '#test/rewards.ts'
import type { TenantFixture } from '#test/tenants.ts'
import { testInviteTerms } from '#test/invites.ts'
import type { OtherSpecimens, Specimens } from './specimen.ts'

const terms = { ...testCouponTerms, name: 'isolation' }
const common = { ...testActivityCommon, name: 'isolation' }
const recharge = { common, terms: testRechargeTerms }
const inviting = { common, terms: testInviteTerms }
const riding = { common, terms: testRidingTerms }

const fixed = (of: TenantFixture) => ({ common, terms: testFixedTerms(of.coupons.templateId) })
const task = (of: TenantFixture) => ({ common, terms: testTaskTerms(of.coupons.templateId) })
const segment = { ...testSegmentTerms, name: 'isolation' }
const message = { name: 'isolation', channel: 'message', title: 'isolation', body: 'isolation' } as const

export const marketingSpecimens = {
  listCouponTemplates: () => ({}),
  sumCouponTemplates: () => ({}),
  exportCouponTemplates: () => ({}),
  createCouponTemplate: (of) => ({ agentId: of.agentId, terms }),
  changeCouponTemplate: (of) => ({ id: of.coupons.templateId, version: 1, terms }),
  switchCouponTemplate: (of) => ({ id: of.coupons.templateId, state: 'off' }),
  couponTemplateVersions: (of) => ({ id: of.coupons.templateId }),
  issueCoupons: (of) => ({ templateId: of.coupons.templateId, riderIds: [of.riderId] }),
  makeCouponCodes: (of) => ({ templateId: of.coupons.templateId, count: 2, claimUntil: Date.UTC(2100, 0, 1) }),
  listCouponBatches: () => ({}),
  exportCouponBatches: () => ({}),
  listCoupons: () => ({}),
  sumCoupons: () => ({}),
  exportCoupons: () => ({}),
  revokeCoupons: (of) => ({ ids: [of.coupons.couponId], reason: 'isolation' }),
  revokeCouponBatch: (of) => ({ batchId: of.coupons.batchId, reason: 'isolation' }),
  previewCoupon: (of) => ({ agentId: of.agentId, terms }),
  activityAlerts: () => ({}),
  listRidingActivities: () => ({}),
  sumRidingActivities: () => ({}),
  exportRidingActivities: () => ({}),
  createRidingActivity: (of) => ({ agentId: of.agentId, ...riding }),
  changeRidingActivity: (of) => ({ id: of.ridingActivityId, version: 1, ...riding }),
  switchRidingActivity: (of) => ({ id: of.ridingActivityId, state: 'on' }),
  ridingActivityVersions: (of) => ({ id: of.ridingActivityId }),
  previewRidingActivity: (of) => ({ agentId: of.agentId, ...riding }),
  listFixedActivities: () => ({}),
  sumFixedActivities: () => ({}),
  exportFixedActivities: () => ({}),
  createFixedActivity: (of) => ({ agentId: of.agentId, ...fixed(of) }),
  changeFixedActivity: (of) => ({ id: of.rewards.fixedActivityId, version: 1, ...fixed(of) }),
  switchFixedActivity: (of) => ({ id: of.rewards.fixedActivityId, state: 'on' }),
  fixedActivityVersions: (of) => ({ id: of.rewards.fixedActivityId }),
  previewFixedActivity: (of) => ({ agentId: of.agentId, ...fixed(of) }),
  listTaskActivities: () => ({}),
  sumTaskActivities: () => ({}),
  exportTaskActivities: () => ({}),
  createTaskActivity: (of) => ({ agentId: of.agentId, ...task(of) }),
  changeTaskActivity: (of) => ({ id: of.rewards.taskActivityId, version: 1, ...task(of) }),
  switchTaskActivity: (of) => ({ id: of.rewards.taskActivityId, state: 'on' }),
  taskActivityVersions: (of) => ({ id: of.rewards.taskActivityId }),
  previewTaskActivity: (of) => ({ agentId: of.agentId, ...task(of) }),
  listUserRewards: () => ({}),
  sumUserRewards: () => ({}),
  exportUserRewards: () => ({}),
  userRewardDetail: (of) => ({ id: of.rewards.rewardId }),
  rewardChoices: () => ({}),
  giveUserRewards: (of) => ({
    agentId: of.agentId,
    riderIds: [of.riderId],
    rewards: [{ kind: 'coupon', templateId: of.coupons.templateId, count: 1 }],
    note: 'isolation',
  }),
  revokeUserRewards: (of) => ({ ids: [of.rewards.rewardId], reason: 'isolation' }),
  restoreUserRewards: (of) => ({ ids: [of.rewards.rewardId] }),
  listRechargeActivities: () => ({}),
  sumRechargeActivities: () => ({}),
  exportRechargeActivities: () => ({}),
  createRechargeActivity: (of) => ({ agentId: of.agentId, ...recharge }),
  changeRechargeActivity: (of) => ({ id: of.rechargeActivityId, version: 1, ...recharge }),
  switchRechargeActivity: (of) => ({ id: of.rechargeActivityId, state: 'on' }),
  rechargeActivityVersions: (of) => ({ id: of.rechargeActivityId }),
  previewRechargeActivity: (of) => ({ agentId: of.agentId, ...recharge }),
  listRechargeUses: () => ({}),
  sumRechargeUses: () => ({}),
  exportRechargeUses: () => ({}),
  listInviteActivities: () => ({}),
  sumInviteActivities: () => ({}),
  exportInviteActivities: () => ({}),
  createInviteActivity: (of) => ({ agentId: of.agentId, ...inviting }),
  changeInviteActivity: (of) => ({ id: of.invites.activityId, version: 1, ...inviting }),
  switchInviteActivity: (of) => ({ id: of.invites.activityId, state: 'on' }),
  inviteActivityVersions: (of) => ({ id: of.invites.activityId }),
  previewInviteActivity: (of) => ({ agentId: of.agentId, ...inviting }),
  listInvites: () => ({}),
  sumInvites: () => ({}),
  exportInvites: () => ({}),
  inviteTree: () => ({}),
  findInInviteTree: (of) => ({ phone: of.riderPhone }),
  riderInvites: (of) => ({ riderId: of.riderId }),
  refuseInvite: (of) => ({ id: of.invites.inviteId, note: 'isolation' }),
  clearInvite: (of) => ({ id: of.invites.inviteId, note: 'isolation' }),
  listSegments: () => ({}),
  exportSegments: () => ({}),
  createSegment: (of) => ({ agentId: of.agentId, terms: segment }),
  changeSegment: (of) => ({ id: of.campaigns.segmentId, version: 1, terms: segment }),
  switchSegment: (of) => ({ id: of.campaigns.segmentId, state: 'off' }),
  segmentVersions: (of) => ({ id: of.campaigns.segmentId }),
  sizeSegment: (of) => ({ agentId: of.agentId, terms: segment }),
  listSegmentRiders: (of) => ({ filter: { segmentId: of.campaigns.segmentId } }),
  exportSegmentRiders: (of) => ({ filter: { segmentId: of.campaigns.segmentId } }),
  riderTags: (of) => ({ agentId: of.agentId }),
  tagRiders: (of) => ({ agentId: of.agentId, tag: 'isolation', phones: [of.riderPhone] }),
  listCampaigns: () => ({}),
  exportCampaigns: () => ({}),
  createCampaign: (of) => ({ agentId: of.agentId, terms: { ...message, segmentId: of.campaigns.segmentId } }),
  changeCampaign: (of) => ({
    id: of.campaigns.campaignId,
    version: 1,
    terms: { ...message, segmentId: of.campaigns.segmentId },
  }),
  actOnCampaign: (of) => ({ id: of.campaigns.campaignId, act: 'cancel' }),
  testCampaign: (of) => ({ id: of.campaigns.campaignId, phone: of.riderPhone }),
  listCampaignRiders: (of) => ({ filter: { campaignId: of.campaigns.campaignId } }),
  exportCampaignRiders: (of) => ({ filter: { campaignId: of.campaigns.campaignId } }),
  marketingSetting: (of) => ({ agentId: of.agentId }),
  setMarketingSetting: (of) => ({ agentId: of.agentId, setting: { controlPercent: 1, weeklyMax: 2 } }),
  marketingEffect: (of) => ({ of: 'campaign', id: of.campaigns.campaignId }),
} satisfies Partial<Specimens>

export const otherMarketingSpecimens = {
  listCouponTemplates: [
    (of) => ({ filter: { id: of.coupons.templateId } }),
    (of) => ({ filter: { name: of.marker, states: ['on'] } }),
  ],
  issueCoupons: [(of) => ({ templateId: of.coupons.templateId, phones: [of.riderPhone] })],
  listCouponBatches: [
    (of) => ({ filter: { templateId: of.coupons.templateId } }),
    (of) => ({ filter: { id: of.coupons.batchId } }),
  ],
  listCoupons: [
    (of) => ({ filter: { templateId: of.coupons.templateId } }),
    (of) => ({ filter: { batchId: of.coupons.batchId, states: ['open'] } }),
    (of) => ({ filter: { phone: of.riderPhone } }),
    (of) => ({ filter: { riderId: of.riderId } }),
    (of) => ({ filter: { code: of.coupons.code } }),
  ],
  exportCoupons: [(of) => ({ filter: { code: of.coupons.code } })],
  listRidingActivities: [
    (of) => ({ filter: { id: of.ridingActivityId } }),
    (of) => ({ filter: { name: of.marker, states: ['paused'] } }),
    (of) => ({ filter: { areaIds: [of.areaIds[0]] } }),
  ],
  createRidingActivity: [(of) => ({ agentId: of.agentId, ...riding, common: { ...common, areaIds: [of.areaIds[0]] } })],
  listFixedActivities: [(of) => ({ filter: { id: of.rewards.fixedActivityId } })],
  createFixedActivity: [
    (of) => ({ agentId: of.agentId, ...fixed(of), common: { ...common, areaIds: [of.areaIds[0]] } }),
  ],
  listTaskActivities: [(of) => ({ filter: { id: of.rewards.taskActivityId } })],
  createTaskActivity: [(of) => ({ agentId: of.agentId, ...task(of), common: { ...common, areaIds: [of.areaIds[0]] } })],
  listUserRewards: [
    (of) => ({ filter: { id: of.rewards.rewardId } }),
    (of) => ({ filter: { riderId: of.riderId, states: ['pending'] } }),
    (of) => ({ filter: { phone: of.riderPhone } }),
    (of) => ({ filter: { activityId: of.rewards.fixedActivityId } }),
  ],
  giveUserRewards: [
    (of) => ({
      agentId: of.agentId,
      phones: [of.riderPhone],
      rewards: [{ kind: 'coupon', templateId: of.coupons.templateId, count: 1 }],
      note: 'isolation',
    }),
  ],
  listRechargeActivities: [(of) => ({ filter: { id: of.rechargeActivityId } })],
  listRechargeUses: [
    (of) => ({ filter: { activityId: of.rechargeActivityId } }),
    (of) => ({ filter: { riderId: of.riderId, states: ['refused'] } }),
    (of) => ({ filter: { phone: of.riderPhone } }),
  ],
  listInviteActivities: [(of) => ({ filter: { id: of.invites.activityId } })],
  listInvites: [
    (of) => ({ filter: { id: of.invites.inviteId } }),
    (of) => ({ filter: { activityId: of.invites.activityId, states: ['pending'] } }),
    (of) => ({ filter: { riderId: of.riderId } }),
    (of) => ({ filter: { inviterId: of.riderId } }),
  ],
  inviteTree: [(of) => ({ inviterId: of.riderId })],
  exportInvites: [(of) => ({ filter: { inviterId: of.riderId } })],
  listSegments: [
    (of) => ({ filter: { id: of.campaigns.segmentId } }),
    (of) => ({ filter: { name: of.marker, states: ['on'] } }),
  ],
  createSegment: [
    (of) => ({ agentId: of.agentId, terms: { ...segment, areaIds: [of.areaIds[0]] } }),
    (of) => ({ agentId: of.agentId, terms: { ...segment, couponTemplateId: of.coupons.templateId } }),
  ],
  listCampaigns: [
    (of) => ({ filter: { id: of.campaigns.campaignId } }),
    (of) => ({ filter: { segmentId: of.campaigns.segmentId } }),
  ],
  listCampaignRiders: [
    (of) => ({ filter: { campaignId: of.campaigns.campaignId, outcomes: ['sent'], riderId: of.riderId } }),
  ],
  marketingEffect: [(of) => ({ of: 'activity', id: of.ridingActivityId })],
} satisfies OtherSpecimens
