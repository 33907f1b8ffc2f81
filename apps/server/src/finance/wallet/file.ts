import { entryKinds } from '@saddle/contract/finance/ledger.ts'
import { paymentChannelLabels, purposeLabels } from '@saddle/contract/finance/payments.ts'
import {
  refundStateLabels,
  type ListedRefund,
  type StatementLine,
  type statementSubjects,
} from '@saddle/contract/finance/wallet.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { CsvColumns } from '#audit/public.ts'
import { businessTime } from '#kit/csv.ts'

/** Files of riders' money: what stands in their columns, and how a part says where the next one begins. */

export const moneyPartRows = 2_000

export const cursorOf = (id: number | null): string | null => (id === null ? null : String(id))

/** Throws bad_request on a cursor that this platform did not write. */
export function idOfCursor(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const id = Number(text)
  if (!Number.isSafeInteger(id) || id < 1) throw new AppError('bad_request', { values: { detail: 'cursor' } })
  return id
}

const subjectLabels: Readonly<Record<(typeof statementSubjects)[number], string>> = {
  order: '骑行订单',
  payment: '支付',
  deposit: '押金',
  card: '骑行卡',
  'platform-charge': '平台扣款',
  other: '其他',
}

export const statementColumns: CsvColumns<StatementLine> = [
  ['记账编号', (row) => row.number],
  ['时间', (row) => businessTime(row.at)],
  // A charge by hand has two directions and one kind.
  ['事项', (row) => (row.kind === 'platform_charge' && row.cents > 0 ? '平台加款' : entryKinds[row.kind])],
  ['关于', (row) => subjectLabels[row.subject]],
  ['关于编号', (row) => row.subjectId],
  ['变动(元)', (row) => row.cents / 100],
  ['变动后(元)', (row) => row.afterCents / 100],
  ['备注', (row) => row.memo],
]

export const refundColumns: CsvColumns<ListedRefund> = [
  ['退款编号', (row) => row.id],
  ['用户编号', (row) => row.riderId],
  ['手机号', (row) => row.riderPhone],
  ['加盟商', (row) => row.company],
  ['用途', (row) => purposeLabels[row.purpose]],
  ['渠道', (row) => paymentChannelLabels[row.channel]],
  ['金额(元)', (row) => row.cents / 100],
  ['状态', (row) => refundStateLabels[row.state]],
  ['原因', (row) => row.reason],
  ['渠道答复', (row) => row.fault],
  ['尝试次数', (row) => row.attempts],
  ['申请时间', (row) => businessTime(row.createdAt)],
  ['完成时间', (row) => businessTime(row.doneAt)],
  ['转为余额时间', (row) => businessTime(row.returnedAt)],
  ['转为余额操作人', (row) => row.returnedBy],
]
