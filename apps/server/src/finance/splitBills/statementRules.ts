import { createHash } from 'node:crypto'
import { yuanText } from '@saddle/contract/money.ts'
import { addDays } from '@saddle/contract/time.ts'

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

/** The half of a month that a day lies in: from the 1st to the 15th, and from the 16th to the last. */
export function spanOf(day: string): { readonly firstDay: string; readonly lastDay: string } {
  const month = day.slice(0, 8)
  if (Number(day.slice(8)) <= middleDay) return { firstDay: `${month}01`, lastDay: `${month}${middleDay}` }
  // The day before the first of the next month.
  const nextFirst = `${addDays(`${month}28`, 4).slice(0, 8)}01`
  return { firstDay: `${month}${middleDay + 1}`, lastDay: addDays(nextFirst, -1) }
}

type StatementTotals = {
  readonly bills: number
  readonly lines: number
  readonly paidCents: number
  readonly feeCents: number
  readonly borneCents: number
  readonly partiesCents: number
  readonly ownerCents: number
  readonly correctionsCents: number
}

const sum = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((all, one) => all + of(one), 0)

export const totalsOf = ({ bills, corrections }: Pick<StatementContent, 'bills' | 'corrections'>): StatementTotals => ({
  bills: bills.length,
  lines: sum(bills, ({ lines }) => lines),
  paidCents: sum(bills, ({ paidCents }) => paidCents),
  feeCents: sum(bills, ({ feeCents }) => feeCents),
  borneCents: sum(bills, ({ platformBorneCents, partnerBorneCents }) => platformBorneCents + partnerBorneCents),
  partiesCents: sum(bills, ({ parties }) => sum(parties, ({ cents }) => cents)),
  ownerCents: sum(bills, ({ ownerCents }) => ownerCents),
  correctionsCents: sum(corrections, ({ cents }) => cents),
})

/** Names are written without the characters that part cells and lines. */
const cell = (text: string): string => text.replaceAll(/[,|:"'\r\n\t]/g, ' ').trim()

/** Begins every file; a change of the form gets another number, so that old files stay provable. */
const form = '对账单,1'
const hashTitle = '校验值'
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
    form,
    `加盟商,${content.agentId},${cell(content.company)}`,
    `区间,${content.firstDay},${content.lastDay}`,
    `上一份校验值,${content.previousHash ?? ''}`,
    columns,
    ...content.bills.map(billText),
    '更正,日期,记账编号,原账单,金额',
    ...content.corrections.map(
      ({ day, entryNumber, billId, cents }) => `更正,${day},${entryNumber},${billId},${yuanText(cents)}`,
    ),
    [
      '合计',
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

type StatementVerdict = {
  readonly hash: string
  readonly bills: number
  readonly paidCents: number
  /** None: every sum is right and the hash is that of the lines. */
  readonly faults: readonly string[]
}

const faultsMax = 20
const centsOf = (text: string | undefined): number =>
  /^-?\d{1,13}\.\d\d$/.test(text ?? '') ? Number((text ?? '').replace('.', '')) : Number.NaN

/**
 * Proves the file of a statement by itself: the hash of its lines, that the parts of each bill sum to its income, and that
 * its totals are the sums of its bills. `hash` is what the platform shows of the statement.
 */
export function verifyStatement(text: string, shownHash?: string): StatementVerdict {
  const faults: string[] = []
  const end = text.lastIndexOf(hashTitle)
  const body = end < 0 ? text : text.slice(0, end)
  const written = end < 0 ? '' : text.slice(end + hashTitle.length + 1).trim()
  const hash = createHash('sha256').update(body).digest('hex')
  const lines = body
    .replace(/^\ufeff/, '')
    .split('\r\n')
    .slice(0, -1)
  if (lines[0] !== form) faults.push('not the file of a statement')
  if (hash !== written) faults.push(`the lines have the hash ${hash}, the file says ${written || 'nothing'}`)
  if (shownHash !== undefined && shownHash.toLowerCase() !== hash) faults.push(`the platform shows ${shownHash}`)
  const bills = lines.filter((line) => /^\d+,\d{4}-\d\d-\d\d,/.test(line)).map((line) => line.split(','))
  const total = lines.find((line) => line.startsWith('合计,'))?.split(',') ?? []
  const sums = [0, 0, 0, 0, 0]
  for (const bill of bills) {
    const [paid, fee, platform, partner] = bill.slice(5, 9).map(centsOf)
    const parties =
      (bill[9] ?? '') === '' ? [] : (bill[9] ?? '').split('|').map((party) => centsOf(party.split(':')[2]))
    const shared = sum(parties, (cents) => cents)
    const parts = [paid ?? 0, fee ?? 0, (platform ?? 0) + (partner ?? 0), shared, centsOf(bill[10])]
    const [whole = 0, ...rest] = parts
    if (sum(rest, (cents) => cents) !== whole) faults.push(`bill ${bill[0]}: its parts do not sum to ${bill[5]}`)
    for (const [at, cents] of parts.entries()) sums[at] = (sums[at] ?? 0) + cents
  }
  if (Number(total[1]) !== bills.length) faults.push(`${bills.length} bills, the total says ${total[1] ?? 'nothing'}`)
  for (const [at, cents] of sums.entries()) {
    if (centsOf(total[at + 3]) !== cents)
      faults.push(`a total of ${total[at + 3] ?? 'nothing'} instead of ${yuanText(cents)}`)
  }
  return { hash, bills: bills.length, paidCents: sums[0] ?? 0, faults: faults.slice(0, faultsMax) }
}
