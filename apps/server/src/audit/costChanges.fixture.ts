import { createFinance } from '#finance/public.ts'
import type { ChangeWorld } from './changeWorld.fixture.ts'

/** What companies and the platform do about bills of services. */
export async function costsOfCompanies(world: ChangeWorld): Promise<void> {
  const { act, kit, manager, of, root } = world
  const { billId, lineId, detailId, objectionId } = of.services
  await createFinance(kit).ledger.post({
    agentId: of.agentId,
    kind: 'adjustment',
    reference: 'opening:costs',
    lines: [
      { account: { kind: 'adjustment' }, amountCents: -20_000 },
      { account: { kind: 'agent_available' }, amountCents: 20_000 },
    ],
  })
  const lines = [{ lineId, cents: 5 }]
  await act(manager, 'submitObjection', { billId, reason: 'quantity', text: 'r', lines })
  // Before the dispute ends: what it holds is not waived.
  await act(root, 'waiveServiceBill', { id: billId, reason: 'r' })
  await act(manager, 'decideObjection', { id: objectionId, act: 'withdraw', note: 'r' })
  await act(root, 'setMeterPrice', { meter: 'sms', firstDay: '2100-01-01', priceCents: 5, perQuantity: 1, reason: 'r' })
  await act(manager, 'remarkAssetDetail', { id: detailId, remark: 'r' })
  await act(manager, 'chargeService', { way: 'available', cents: 10_000 })
  for (const name of [
    'exportServiceBills',
    'exportBillLines',
    'exportBillAreas',
    'exportChargeNotes',
    'exportSpendNotes',
    'exportAssetDetails',
    'exportObjections',
  ] as const) {
    await act(manager, name, {})
  }
}
