import { paymentChannels, type PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { reconciliationRowSides, type ReconciliationRowSide } from '@saddle/contract/reports/reconciliation.ts'

/** A sum whose rows are open: of which side, which way, which days, channel and company. */
export interface SideOfRow {
  readonly side: ReconciliationRowSide
  /** Absent: payments less refunds. */
  readonly isRefund?: boolean
  readonly from: string
  readonly to: string
  readonly channel?: PaymentChannelName
  readonly agentId?: number
}

const names = ['side', 'refund', 'sideFrom', 'sideTo', 'sideChannel', 'sideAgent'] as const
const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** The address with a sum opened; null closes it. */
export function sideParams(params: URLSearchParams, opened: SideOfRow | null): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const name of names) next.delete(name)
  if (opened === null) return next
  next.set('side', opened.side)
  next.set('sideFrom', opened.from)
  next.set('sideTo', opened.to)
  if (opened.isRefund !== undefined) next.set('refund', opened.isRefund ? '1' : '0')
  if (opened.channel !== undefined) next.set('sideChannel', opened.channel)
  if (opened.agentId !== undefined) next.set('sideAgent', String(opened.agentId))
  return next
}

/** What the address has open; null where it is not sound. */
export function readSide(params: URLSearchParams): SideOfRow | null {
  const side = reconciliationRowSides.find((one) => one === params.get('side'))
  const [from, to] = [params.get('sideFrom') ?? '', params.get('sideTo') ?? '']
  if (side === undefined || !dayPattern.test(from) || !dayPattern.test(to)) return null
  const channel = paymentChannels.find((one) => one === params.get('sideChannel'))
  const refund = params.get('refund')
  const agentId = Number(params.get('sideAgent'))
  return {
    side,
    from,
    to,
    ...(refund !== null && { isRefund: refund === '1' }),
    ...(channel !== undefined && { channel }),
    ...(Number.isInteger(agentId) && agentId > 0 && { agentId }),
  }
}
