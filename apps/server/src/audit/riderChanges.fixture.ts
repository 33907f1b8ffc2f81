import { dayMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import { createFinance, rideChargeByChannel } from '#finance/public.ts'
import { numberIn, type ChangeWorld } from './changeWorld.fixture.ts'

/** The fixture's order has cost nine yuan; the ledger knows only what went through it. */
export async function payOrder(world: ChangeWorld, orderId: number): Promise<void> {
  const { kit, of, owner } = world
  const order = await owner
    .selectFrom('ride_order')
    .select('rider_id')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const charge = { agentId: of.agentId, riderId: order.rider_id, orderId, cents: 900, at: kit.clock.now() }
  const { ledger } = createFinance(kit)
  await ledger.post(rideChargeByChannel({ ...charge, channel: 'sandbox' }))
  await ledger.close()
}

/** Charges by hand, refunds, a deposit's cases, and what is sold. */
export async function ridersMoney(world: ChangeWorld): Promise<void> {
  const { act, manager, of, owner } = world
  const { riderId } = of
  const { paymentId, refundId, depositId, caseId, productId } = of.money
  await act(manager, 'platformCharge', { riderId, account: 'gift', direction: 'credit', cents: 100, reason: 'r' })
  await act(manager, 'undoPlatformCharge', { chargeId: of.money.chargeId, reason: 'r' })
  await act(manager, 'refundPayment', { paymentId, cents: 100, reason: 'r' })
  await act(manager, 'retryRefunds', { refundIds: [refundId] })
  await owner.updateTable('payment_refund').set({ state: 'failed' }).where('id', '=', refundId).execute()
  await act(manager, 'returnRefund', { refundId, reason: 'r' })
  const [actId] = of.money.actIds
  await act(manager, 'confirmMoneyAct', { id: actId })
  const { rows } = await sql<{ id: number }>`
    insert into money_action (agent_id, rider_id, act, cents, reason, input, input_hash, operator_id, operator_name,
      acted_at, expires_at, state)
    select agent_id, rider_id, act, cents, reason, input, 'other', operator_id, operator_name, acted_at, expires_at,
      'waiting' from money_action where id = ${actId} returning id`.execute(owner)
  await act(manager, 'rejectMoneyAct', { id: rows[0]?.id, note: 'r' })
  await act(manager, 'commitRiderImport', { id: of.money.riderImportId })
  const sheet = Buffer.from('手机号,余额\n13900139000,10').toString('base64')
  const checked = await act(manager, 'checkRiderSheet', { agentId: of.agentId, name: 'riders.csv', base64: sheet })
  await act(manager, 'discardRiderImport', { id: checked['id'] })
  await act(manager, 'exportRiderImports', {})
  await act(manager, 'recoverDeposit', { caseId, cents: 100, reason: 'r' })
  const frozen = await act(manager, 'freezeDeposit', { depositId, cents: 100, reason: 'r' })
  const [fresh] = frozen['cases'] as { id: number }[]
  await act(manager, 'unfreezeDeposit', { caseId: fresh?.id, reason: 'r' })
  await act(manager, 'refundDeposit', { depositId, reason: 'r' })
  await act(manager, 'refundCard', { cardId: of.money.cardId, reason: 'r' })
  for (const name of ['exportStatement', 'exportRiderOrders'] as const)
    await act(manager, name, { filter: { riderId } })
  for (const name of ['exportRiderPayments', 'exportRiderTimeline'] as const) await act(manager, name, { riderId })
  for (const name of ['exportRefunds', 'exportDeposits', 'exportMoneyActs'] as const) await act(manager, name, {})
  await act(manager, 'setDeposit', { areaIds: [of.areaIds[0]], cents: 100, freeStudents: true, freeCardHolders: true })
  const card = { kind: 'discount', name: 'New card', priceCents: 100, days: 30, percentOff: 10 }
  await act(manager, 'createCardProduct', { agentId: of.agentId, terms: card })
  await act(manager, 'changeCardProduct', { id: productId, version: 1, terms: { ...card, name: 'Renamed card' } })
  for (const state of ['paused', 'on']) await act(manager, 'switchCardProduct', { id: productId, state })
  await act(manager, 'orderCardProducts', { agentId: of.agentId, ids: [productId] })
  for (const name of ['exportCardProducts', 'exportSoldCards', 'exportDepositAreas'] as const)
    await act(manager, name, {})
}

export async function invoicesOfRiders(world: ChangeWorld): Promise<void> {
  const { act, manager, of } = world
  const id = of.invoiceId
  await act(manager, 'revealInvoice', { id })
  await act(manager, 'refuseInvoices', { ids: [id], reason: 'r' })
  await act(manager, 'restoreInvoices', { ids: [id] })
  await act(manager, 'issueInvoices', { invoices: [{ id, number: '00000001' }] })
  await act(manager, 'flushInvoice', { id, redNumber: '00000002', reason: 'r' })
  await act(manager, 'exportInvoices', { filter: { titleKind: 'company' } })
}

export async function couponsOfRiders(world: ChangeWorld): Promise<void> {
  const { act, kit, manager, of } = world
  const { templateId: id, batchId, couponId } = of.coupons
  const terms = {
    name: 'New coupon',
    effect: { off: 'percent', percent: 20, maxCents: 300 },
    validDays: 7,
    validUntil: null,
  }
  const hours = { from: 420, to: 540 }
  await act(manager, 'createCouponTemplate', { agentId: of.agentId, terms: { ...terms, conditions: { hours } } })
  const cheaper = { ...terms, name: 'Renamed coupon', effect: { off: 'minutes', minutes: 15 } }
  await act(manager, 'changeCouponTemplate', { id, version: 1, terms: cheaper })
  await act(manager, 'switchCouponTemplate', { id, state: 'off' })
  await act(manager, 'switchCouponTemplate', { id, state: 'on' })
  await act(manager, 'issueCoupons', { templateId: id, riderIds: [of.riderId], note: 'r' })
  await act(manager, 'makeCouponCodes', { templateId: id, count: 2, claimUntil: kit.clock.now() + dayMs })
  await act(manager, 'exportCouponTemplates', {})
  await act(manager, 'exportCouponBatches', { filter: { templateId: id } })
  await act(manager, 'exportCoupons', { filter: { templateId: id, batchId, states: ['open'] } })
  await act(manager, 'revokeCoupons', { ids: [couponId], reason: 'r' })
  const issued = await act(manager, 'issueCoupons', { templateId: id, riderIds: [of.riderId] })
  await act(manager, 'revokeCouponBatch', { batchId: numberIn(issued, 'batchId'), reason: 'r' })
}

export async function activitiesOfRiders(world: ChangeWorld): Promise<void> {
  const { act, manager, of } = world
  const common = { name: 'New activity', areaIds: [of.areaIds[0]], startsAt: Date.UTC(2026, 0, 1) }
  const riding = { common, terms: { effect: { off: 'cents', cents: 100 }, conditions: { weathers: ['rain'] } } }
  const id = numberIn(await act(manager, 'createRidingActivity', { agentId: of.agentId, ...riding }), 'id')
  const longer = { ...common, endsAt: Date.UTC(2027, 0, 1), budgetCents: 1_000, riderUses: 3, riderDayUses: 1 }
  await act(manager, 'changeRidingActivity', { id, version: 1, ...riding, common: longer })
  for (const state of ['on', 'paused', 'on', 'ended']) await act(manager, 'switchRidingActivity', { id, state })
  await act(manager, 'exportRidingActivities', {})
  await act(manager, 'exportEffectRiders', { filter: { activityId: id, arm: 'treated' } })
  const recharge = {
    common: { ...common, name: 'New recharges' },
    terms: { tiers: [{ payCents: 2_000, giftCents: 200 }] },
  }
  const made = numberIn(await act(manager, 'createRechargeActivity', { agentId: of.agentId, ...recharge }), 'id')
  const dearer = { tiers: [{ payCents: 2_000, giftCents: 300, giftDays: 30 }], firstOnly: true }
  await act(manager, 'changeRechargeActivity', { id: made, version: 1, ...recharge, terms: dearer })
  await act(manager, 'switchRechargeActivity', { id: made, state: 'on' })
  await act(manager, 'exportRechargeActivities', {})
  await act(manager, 'exportRechargeUses', {})
}

export async function invitesOfRiders(world: ChangeWorld): Promise<void> {
  const { act, manager, of } = world
  const { activityId: id, inviteId } = of.invites
  const common = { name: 'New invites', startsAt: 0 }
  const terms = { inviterRewards: [{ kind: 'gift', cents: 200, validDays: 7 }] }
  await act(manager, 'createInviteActivity', { agentId: of.agentId, common, terms })
  const more = { ...terms, invitedRewards: terms.inviterRewards, waitHours: 48, refuseSameDevice: false, depthMax: 2 }
  const renamed = { ...common, name: 'Renamed invites' }
  await act(manager, 'changeInviteActivity', { id, version: 1, common: renamed, terms: more })
  await act(manager, 'switchInviteActivity', { id, state: 'on' })
  await act(manager, 'refuseInvite', { id: inviteId, note: 'r' })
  await act(manager, 'clearInvite', { id: inviteId, note: 'r' })
  await act(manager, 'exportInviteActivities', {})
  await act(manager, 'exportInvites', { filter: { activityId: id, reasons: ['staff'] } })
}

export async function ticketsOfRiders(world: ChangeWorld): Promise<void> {
  const { act, manager, of } = world
  const ticket = { kind: 'charge', text: 'r', orderId: of.orderIds[0] }
  const id = numberIn(await act(manager, 'openTicket', ticket), 'id')
  await act(manager, 'assignTickets', { ids: [id], assigneeId: of.workerId })
  await act(manager, 'replyToTicket', { id, text: 'r' })
  await act(manager, 'resolveTicket', { id, finding: 'justified', reply: 'r' })
  await act(manager, 'transitionTickets', { ids: [id], act: 'close' })
  await act(manager, 'exportTickets', { filter: { kinds: ['charge'] } })
  await feedbackOfStaff(world)
}

async function feedbackOfStaff({ act, manager, root, of }: ChangeWorld): Promise<void> {
  const subject = { kind: 'order', id: of.orderIds[0] }
  const feedback = { kind: 'fault', priority: 'normal', title: 'r', text: 'r', subject }
  const id = numberIn(await act(manager, 'openFeedback', feedback), 'id')
  await act(manager, 'sayInFeedback', { id, act: 'say', text: 'r' })
  await act(root, 'assignFeedback', { id, assigneeId: null })
  await act(root, 'prioritiseFeedback', { id, priority: 'high' })
  await act(root, 'changeFeedback', { id, act: 'resolve', text: 'r' })
  await act(manager, 'rateFeedback', { id, rating: 5 })
  await act(manager, 'exportFeedback', { filter: { kinds: ['fault'] } })
}

export async function rewardsOfRiders(world: ChangeWorld): Promise<void> {
  const { act, manager, of } = world
  const { templateId } = of.coupons
  const given = [{ kind: 'coupon', templateId, count: 1 }]
  const common = { name: 'New activity', startsAt: Date.UTC(2026, 0, 1) }
  const kinds = [
    { name: 'Fixed', id: of.rewards.fixedActivityId, terms: { event: 'identified', rewards: given } },
    {
      name: 'Task',
      id: of.rewards.taskActivityId,
      terms: { measure: 'rides', days: 7, levels: [{ target: 5, rewards: given }] },
    },
  ] as const
  for (const { name, id, terms } of kinds) {
    await act(manager, `create${name}Activity`, { agentId: of.agentId, common, terms })
    await act(manager, `change${name}Activity`, { id, version: 1, common: { ...common, name: 'Renamed' }, terms })
    await act(manager, `switch${name}Activity`, { id, state: 'on' })
    await act(manager, `export${name}Activities`, {})
  }
  await act(manager, 'exportActivityUses', {})
  const ids = [of.rewards.rewardId]
  await act(manager, 'revokeUserRewards', { ids, reason: 'r' })
  await act(manager, 'restoreUserRewards', { ids })
  await act(manager, 'giveUserRewards', { agentId: of.agentId, riderIds: [of.riderId], rewards: given, note: 'r' })
  await act(manager, 'exportUserRewards', { filter: { riderId: of.riderId } })
}

/** Segments of riders, and what is sent to them. */
export async function campaignsOfRiders(world: ChangeWorld): Promise<void> {
  const { act, manager, of } = world
  const { segmentId, campaignId } = of.campaigns
  const { agentId } = of
  const terms = { name: 'New segment', withBanned: true }
  await act(manager, 'createSegment', { agentId, terms })
  await act(manager, 'changeSegment', { id: segmentId, version: 1, terms: { ...terms, name: 'Renamed segment' } })
  for (const state of ['off', 'on']) await act(manager, 'switchSegment', { id: segmentId, state })
  await act(manager, 'tagRiders', { agentId, tag: 'r', phones: [of.riderPhone] })
  const message = { name: 'New campaign', segmentId, channel: 'message', title: 'r', body: 'r' }
  const made = numberIn(await act(manager, 'createCampaign', { agentId, terms: message }), 'id')
  await act(manager, 'changeCampaign', { id: made, version: 1, terms: { ...message, name: 'Renamed campaign' } })
  await act(manager, 'testCampaign', { id: made, phone: of.riderPhone })
  await act(manager, 'actOnCampaign', { id: campaignId, act: 'cancel' })
  await act(manager, 'setMarketingSetting', { agentId, setting: { controlPercent: 1, weeklyMax: 2 } })
  await act(manager, 'exportSegments', {})
  await act(manager, 'exportSegmentRiders', { filter: { segmentId } })
  await act(manager, 'exportCampaigns', {})
  await act(manager, 'exportCampaignRiders', { filter: { campaignId } })
}
