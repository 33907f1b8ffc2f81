import { auditEndpoints } from '#contract/audit/records.ts'
import { alarmEndpoints } from '#contract/fleet/alarms.ts'
import { analysisEndpoints } from '#contract/fleet/analysis.ts'
import { deviceEndpoints } from '#contract/fleet/devices.ts'
import { fenceEndpoints } from '#contract/geography/fences.ts'
import { fenceManageEndpoints } from '#contract/geography/manage.ts'
import { lifeEndpoints } from '#contract/fleet/life.ts'
import { registrationEndpoints } from '#contract/fleet/registration.ts'
import { unknownDeviceEndpoints } from '#contract/fleet/unknownDevices.ts'
import { vehicleModelEndpoints } from '#contract/fleet/models.ts'
import { pastEndpoints } from '#contract/fleet/past.ts'
import { searchEndpoints } from '#contract/fleet/search.ts'
import { parkApplicationEndpoints } from '#contract/operations/parkApplications.ts'
import { repairConfigEndpoints } from '#contract/operations/repairConfig.ts'
import { taskRuleEndpoints } from '#contract/operations/taskRules.ts'
import { workAreaEndpoints } from '#contract/operations/workAreas.ts'
import { taskEndpoints } from '#contract/operations/tasks.ts'
import { reportStatisticsEndpoints } from '#contract/operations/statistics/reports.ts'
import { stationStatisticsEndpoints } from '#contract/operations/statistics/stations.ts'
import { vehicleStatisticsEndpoints } from '#contract/operations/statistics/vehicles.ts'
import { workStatisticsEndpoints } from '#contract/operations/statistics/work.ts'
import { rebalancingEndpoints } from '#contract/operations/rebalancing.ts'
import { ticketEndpoints } from '#contract/operations/tickets.ts'
import { allyEndpoints } from '#contract/organisation/allies.ts'
import { personEndpoints } from '#contract/organisation/people.ts'
import { reviewEndpoints } from '#contract/organisation/review.ts'
import { roleEndpoints } from '#contract/organisation/roles.ts'
import { tripEndpoints } from '#contract/fleet/trips.ts'
import { agentEndpoints } from '#contract/organisation/agents.ts'
import { applicationEndpoints } from '#contract/organisation/applications.ts'
import { appearanceEndpoints } from '#contract/organisation/appearance.ts'
import { areaEndpoints } from '#contract/organisation/areas.ts'
import { companyEndpoints } from '#contract/organisation/companies.ts'
import { chatEndpoints } from '#contract/support/chat.ts'
import { riderTicketEndpoints } from '#contract/support/riderTickets.ts'
import { supportTicketEndpoints } from '#contract/support/tickets.ts'
import { commandEndpoints } from '#contract/fleet/commands.ts'
import { financialAccountEndpoints } from '#contract/finance/account.ts'
import { cardProductEndpoints } from '#contract/finance/cardProducts.ts'
import { cardEndpoints } from '#contract/finance/cards.ts'
import { depositEndpoints } from '#contract/finance/deposits.ts'
import { depositSettingEndpoints } from '#contract/finance/depositSettings.ts'
import { riderMoneyEndpoints } from '#contract/finance/riderMoney.ts'
import { channelRefundEndpoints } from '#contract/finance/refunds.ts'
import { secondPersonEndpoints } from '#contract/finance/secondPerson.ts'
import { meterEndpoints } from '#contract/finance/meters.ts'
import { serviceBillEndpoints } from '#contract/finance/serviceBills.ts'
import { walletEndpoints } from '#contract/finance/wallet.ts'
import { invoiceEndpoints, riderInvoiceEndpoints } from '#contract/finance/invoices.ts'
import { activityEndpoints } from '#contract/marketing/activities.ts'
import { campaignEndpoints, riderMessageEndpoints } from '#contract/marketing/campaigns.ts'
import { couponEndpoints } from '#contract/marketing/coupons.ts'
import { fixedActivityEndpoints } from '#contract/marketing/fixedActivities.ts'
import { riderActivityEndpoints, taskActivityEndpoints } from '#contract/marketing/taskActivities.ts'
import { userRewardEndpoints } from '#contract/marketing/userRewards.ts'
import { inviteActivityEndpoints } from '#contract/marketing/inviteActivities.ts'
import { inviteEndpoints } from '#contract/marketing/invites.ts'
import { riderInviteEndpoints } from '#contract/marketing/riderInvites.ts'
import { effectEndpoints } from '#contract/marketing/effects.ts'
import { riderCouponEndpoints } from '#contract/marketing/riderCoupons.ts'
import { rechargeActivityEndpoints, riderRechargeEndpoints } from '#contract/marketing/rechargeActivities.ts'
import { ridingActivityEndpoints } from '#contract/marketing/ridingActivities.ts'
import { adEndpoints } from '#contract/marketing/ads.ts'
import { helpEndpoints } from '#contract/marketing/help.ts'
import { riderContentEndpoints } from '#contract/marketing/riderContent.ts'
import { telephoneEndpoints } from '#contract/marketing/telephones.ts'
import { segmentEndpoints } from '#contract/marketing/segments.ts'
import { loginEndpoints } from '#contract/identity/login.ts'
import { operatorDeviceEndpoints } from '#contract/identity/devices.ts'
import { passkeyEndpoints } from '#contract/identity/passkeys.ts'
import { selfEndpoints } from '#contract/identity/self.ts'
import { sessionEndpoints } from '#contract/identity/session.ts'
import { orderEndpoints } from '#contract/riding/orders.ts'
import { cardPreviewEndpoints } from '#contract/riding/cardPreview.ts'
import { priceEndpoints } from '#contract/riding/prices.ts'
import { refundEndpoints } from '#contract/riding/refunds.ts'
import { returnEndpoints } from '#contract/riding/returns.ts'
import { rideEndpoints } from '#contract/riding/rides.ts'
import { riderSelfEndpoints } from '#contract/rider/self.ts'
import { banEndpoints } from '#contract/rider/bans.ts'
import { certificateEndpoints } from '#contract/rider/certificates.ts'
import { rebindEndpoints } from '#contract/rider/rebinds.ts'
import { riderPeopleEndpoints } from '#contract/rider/riders.ts'
import { timelineEndpoints } from '#contract/rider/timeline.ts'
import { vehicleEndpoints } from '#contract/fleet/vehicles.ts'

// By domain: the type of all in one object is longer than the compiler writes down.
const identityCalls = {
  ...loginEndpoints,
  ...sessionEndpoints,
  ...operatorDeviceEndpoints,
  ...passkeyEndpoints,
  ...selfEndpoints,
}
const auditCalls = {
  ...auditEndpoints,
}
const organisationCalls = {
  ...agentEndpoints,
  ...applicationEndpoints,
  ...appearanceEndpoints,
  ...areaEndpoints,
  ...roleEndpoints,
  ...personEndpoints,
  ...allyEndpoints,
  ...reviewEndpoints,
  ...companyEndpoints,
}
const fleetCalls = {
  ...vehicleEndpoints,
  ...commandEndpoints,
  ...searchEndpoints,
  ...deviceEndpoints,
  ...registrationEndpoints,
  ...unknownDeviceEndpoints,
  ...vehicleModelEndpoints,
  ...lifeEndpoints,
  ...tripEndpoints,
  ...pastEndpoints,
  ...analysisEndpoints,
  ...alarmEndpoints,
}
const operationsCalls = {
  ...ticketEndpoints,
  ...rebalancingEndpoints,
  ...taskEndpoints,
  ...taskRuleEndpoints,
  ...repairConfigEndpoints,
  ...workAreaEndpoints,
  ...parkApplicationEndpoints,
  ...workStatisticsEndpoints,
  ...reportStatisticsEndpoints,
  ...vehicleStatisticsEndpoints,
  ...stationStatisticsEndpoints,
}
const geographyCalls = {
  ...fenceEndpoints,
  ...fenceManageEndpoints,
}
const ridingCalls = {
  ...orderEndpoints,
  ...priceEndpoints,
  ...refundEndpoints,
  ...returnEndpoints,
  ...rideEndpoints,
  ...cardPreviewEndpoints,
}
const riderCalls = {
  ...riderPeopleEndpoints,
  ...banEndpoints,
  ...certificateEndpoints,
  ...rebindEndpoints,
  ...riderSelfEndpoints,
  ...timelineEndpoints,
}
const financeCalls = {
  ...financialAccountEndpoints,
  ...walletEndpoints,
  ...channelRefundEndpoints,
  ...secondPersonEndpoints,
  ...depositEndpoints,
  ...depositSettingEndpoints,
  ...cardEndpoints,
  ...cardProductEndpoints,
  ...riderMoneyEndpoints,
  ...invoiceEndpoints,
  ...riderInvoiceEndpoints,
  ...meterEndpoints,
  ...serviceBillEndpoints,
}
const supportCalls = {
  ...chatEndpoints,
  ...supportTicketEndpoints,
  ...riderTicketEndpoints,
}
const marketingCalls = {
  ...activityEndpoints,
  ...couponEndpoints,
  ...inviteActivityEndpoints,
  ...inviteEndpoints,
  ...riderInviteEndpoints,
  ...campaignEndpoints,
  ...effectEndpoints,
  ...segmentEndpoints,
  ...riderMessageEndpoints,
  ...riderCouponEndpoints,
  ...fixedActivityEndpoints,
  ...taskActivityEndpoints,
  ...riderActivityEndpoints,
  ...userRewardEndpoints,
  ...rechargeActivityEndpoints,
  ...ridingActivityEndpoints,
  ...helpEndpoints,
  ...telephoneEndpoints,
  ...adEndpoints,
  ...riderContentEndpoints,
  ...riderRechargeEndpoints,
}

/**
 * Every call of the product, by name. The server's handlers, the isolation test and the OpenAPI page are derived from it;
 * the console imports the rows it needs from their own files, so that a page carries no more than its own calls.
 */
export const endpoints: typeof identityCalls &
  typeof auditCalls &
  typeof organisationCalls &
  typeof fleetCalls &
  typeof operationsCalls &
  typeof geographyCalls &
  typeof ridingCalls &
  typeof riderCalls &
  typeof financeCalls &
  typeof supportCalls &
  typeof marketingCalls = {
  ...identityCalls,
  ...auditCalls,
  ...organisationCalls,
  ...fleetCalls,
  ...operationsCalls,
  ...geographyCalls,
  ...ridingCalls,
  ...riderCalls,
  ...financeCalls,
  ...supportCalls,
  ...marketingCalls,
}
export type EndpointName = keyof typeof endpoints
