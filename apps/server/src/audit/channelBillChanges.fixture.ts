import { businessDayStart } from '@saddle/contract/time.ts'
import { writeWechatBill } from '#finance/channelBills/wechatBill.ts'
import type { ChangeWorld } from './changeWorld.fixture.ts'

const day = '2026-09-02'

/** Bills of payment channels and what is decided about their differences, by people of the platform. */
export async function channelBills({ act, of, root }: ChangeWorld): Promise<void> {
  const { openId, proposedId } = of.channelBills
  await act(root, 'proposeResolution', { id: openId, resolution: 'adjust', reason: 'r' })
  await act(root, 'rejectResolution', { id: openId, note: 'r' })
  await act(root, 'confirmResolution', { id: proposedId })
  let text = ''
  for await (const part of writeWechatBill(lines())) text += part
  await act(root, 'uploadChannelBill', { channel: 'sandbox', day, file: Buffer.from(text).toString('base64') })
  await act(root, 'exportChannelDays', {})
  await act(root, 'exportChannelDifferences', {})
}

async function* lines() {
  const own = { isRefund: false, number: 'outsider', orderNumber: 'outsider', tradeNumber: 'outsider' }
  yield [{ n: 1, ...own, at: businessDayStart(day), cents: 100, feeMillicents: 600, status: 'success' as const }]
}
