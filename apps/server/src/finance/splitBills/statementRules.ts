import { createHash } from 'node:crypto'
import { yuanText } from '@saddle/contract/money.ts'
import type { StatementPeriod } from '@saddle/contract/finance/splitRules.ts'
import { addDays } from '@saddle/contract/time.ts'
import {
  correctionTitle,
  hashTitle,
  statementForm,
  sum,
  sumsOf,
  totalTitle,
  type StatementSums,
} from './statementText.ts'

/** A bill as a statement has it. */
type StatementBill = {
  readonly id: number
  readonly day: string
  readonly areaId: number | null
  readonly areaName: string | null
  readonly lines: number
  readonly paidCents: number
  readonly feeCents: number
  readonly platformBorneCents: number
  readonly partnerBorneCents: number
  readonly parties: readonly { readonly partyId: number; readonly name: string; readonly cents: number }[]
  readonly ownerCents: number
  /** In hexadecimal, over the bill's lines. */
  readonly hash: string
}

/** A correction of an earlier bill that is part of a bill of the span. */
type StatementCorrection = {
  readonly day: string
  readonly entryNumber: number
  readonly billId: number
  readonly cents: number
}

export type StatementContent = {
  readonly agentId: number
  readonly company: string
  readonly firstDay: string
  readonly lastDay: string
  readonly bills: readonly StatementBill[]
  readonly corrections: readonly StatementCorrection[]
  /** In hexadecimal; null: there is none before it. */
  readonly previousHash: string | null
}

const middleDay = 15

/** The day, the half of a month (from the 1st to the 15th, and from the 16th to the last) or the month that a day lies in. */
export function spanOf(day: string, period: StatementPeriod): { readonly firstDay: string; readonly lastDay: string } {
  if (period === 'day') return { firstDay: day, lastDay: day }
  const month = day.slice(0, 8)
  if (period === 'half_month' && Number(day.slice(8)) <= middleDay)
    return { firstDay: `${month}01`, lastDay: `${month}${middleDay}` }
  // The day before the first of the next month.
  const nextFirst = `${addDays(`${month}28`, 4).slice(0, 8)}01`
  const firstDay = period === 'month' ? `${month}01` : `${month}${middleDay + 1}`
  return { firstDay, lastDay: addDays(nextFirst, -1) }
}

type StatementTotals = StatementSums & { readonly correctionsCents: number }

export const totalsOf = ({ bills, corrections }: Pick<StatementContent, 'bills' | 'corrections'>): StatementTotals => ({
  ...sumsOf(
    bills.map(({ platformBorneCents, partnerBorneCents, parties, ...bill }) => ({
      ...bill,
      bills: 1,
      borneCents: platformBorneCents + partnerBorneCents,
      partiesCents: sum(parties, ({ cents }) => cents),
    })),
  ),
  correctionsCents: sum(corrections, ({ cents }) => cents),
})

/** Names are written without the characters that part cells and lines. */
const cell = (text: string): string => text.replaceAll(/[,|:"'\r\n\t]/g, ' ').trim()

const columns =
  '账单,日期,服务区编号,服务区,笔数,收入,渠道手续费,平台承担优惠,合作方承担优惠,分账方,加盟商所得,明细校验值'

const partiesText = (parties: StatementBill['parties']): string =>
  parties.map(({ partyId, name, cents }) => `${partyId}:${cell(name)}:${yuanText(cents)}`).join('|')

const billText = (bill: StatementBill): string =>
  [
    bill.id,
    bill.day,
    bill.areaId ?? '',
    cell(bill.areaName ?? ''),
    bill.lines,
    yuanText(bill.paidCents),
    yuanText(bill.feeCents),
    yuanText(bill.platformBorneCents),
    yuanText(bill.partnerBorneCents),
    partiesText(bill.parties),
    yuanText(bill.ownerCents),
    bill.hash,
  ].join(',')

/** The file of a statement and its hash, which stands in the last line and covers every line before it. */
export function statementFile(content: StatementContent): { readonly text: string; readonly hash: string } {
  const totals = totalsOf(content)
  const lines = [
    statementForm,
    `加盟商,${content.agentId},${cell(content.company)}`,
    `区间,${content.firstDay},${content.lastDay}`,
    `上一份校验值,${content.previousHash ?? ''}`,
    columns,
    ...content.bills.map(billText),
    `${correctionTitle},日期,记账编号,原账单,金额`,
    ...content.corrections.map(
      ({ day, entryNumber, billId, cents }) => `${correctionTitle},${day},${entryNumber},${billId},${yuanText(cents)}`,
    ),
    [
      totalTitle,
      totals.bills,
      totals.lines,
      ...[totals.paidCents, totals.feeCents, totals.borneCents, totals.partiesCents, totals.ownerCents].map(yuanText),
      yuanText(totals.correctionsCents),
    ].join(','),
  ]
  const body = `\ufeff${lines.map((line) => `${line}\r\n`).join('')}`
  const hash = createHash('sha256').update(body).digest('hex')
  return { text: `${body}${hashTitle},${hash}\r\n`, hash }
}
