import { AppError } from '@saddle/contract/errors.ts'
import type { ChannelDifference, DifferenceResolution } from '@saddle/contract/finance/channelBills.ts'
import { callOf, type DemoPerson } from '#demo/desk.ts'
import { demoTenants, platformAgentId } from '#demo/tenants.ts'
import type { Finance } from '#finance/public.ts'

const clerkPhone = '13800138007'
const adminPhone = '13800138000'
const pageSize = 200
/** Of differences that wait, by their place: how one is proposed, and whether it is confirmed. Others wait for somebody. */
const decisions: readonly (readonly [DifferenceResolution, string, isConfirmed: boolean] | null)[] = [
  ['write_off', '渠道确认未收款，金额小，不再追查', true],
  null,
  ['adjust', '渠道已书面确认账单金额', true],
  ['suspend', '已向渠道提交工单，等待答复', true],
  null,
  ['refund', '付款人误付，退回', false],
  ['adjust', '渠道已书面确认账单金额', false],
]

type Deps = {
  readonly finance: Pick<Finance, 'channelBills' | 'handlers'>
  readonly people: ReadonlyMap<string, DemoPerson>
}

/**
 * The bills of the demo's past are compared by the job itself; some of what differs is decided by two people, the rest waits.
 * Safe to be cut short: bills are compared once. Resolves to the number of bills.
 */
export async function fillChannelBills({ finance, people }: Deps): Promise<number> {
  const bills = await finance.channelBills.run({ beginsNew: true, isPast: true })
  const [clerk, admin] = [people.get(clerkPhone), people.get(adminPhone)]
  if (bills === 0 || clerk === undefined || admin === undefined) return bills
  const { handlers } = finance
  const scope = { agentIds: demoTenants.map(({ id }) => id).filter((id) => id !== platformAgentId), areaIds: [] }
  const [first, second] = [callOf(clerk, clerkPhone, scope), callOf(admin, adminPhone, scope)]
  const { data } = await handlers.listChannelDifferences(
    { filter: { states: ['open'] }, sort: 'day', direction: 'asc', pageSize },
    first,
  )
  for (const [place, difference] of data.list.entries()) {
    const decision = decisions[place % decisions.length]
    if (decision === null || decision === undefined) continue
    await decide(difference, decision)
  }
  return bills

  async function decide(
    { id, resolutions }: ChannelDifference,
    [resolution, reason, isConfirmed]: readonly [DifferenceResolution, string, boolean],
  ): Promise<void> {
    if (!resolutions.includes(resolution)) return
    try {
      await handlers.proposeResolution({ id, resolution, reason }, first)
      if (isConfirmed) await handlers.confirmResolution({ id }, second)
    } catch (error) {
      // Somebody who uses the demo has decided it meanwhile.
      if (!(error instanceof AppError)) throw error
    }
  }
}
