import { createHash } from 'node:crypto'
import { yuanText } from '@saddle/contract/money.ts'

/** The file of a statement as text: what is read of it, and what proves it, without a database. */

/** Begins every file; a change of the form gets another number, so that old files stay provable. */
export const statementForm = '对账单,1'
export const hashTitle = '校验值'
export const totalTitle = '合计'
export const correctionTitle = '更正'

/** Sums of a bill, a day, an area or the whole. */
export type StatementSums = {
  readonly bills: number
  readonly lines: number
  readonly paidCents: number
  readonly feeCents: number
  readonly borneCents: number
  readonly partiesCents: number
  readonly ownerCents: number
}

export type ReadBill = StatementSums & {
  readonly id: string
  readonly day: string
  /** Empty: of no area. */
  readonly areaName: string
  readonly parties: readonly { readonly name: string; readonly cents: number }[]
}

export type ReadStatement = {
  readonly agentId: string
  readonly company: string
  readonly firstDay: string
  readonly lastDay: string
  readonly previousHash: string
  readonly bills: readonly ReadBill[]
  readonly corrections: readonly {
    readonly day: string
    readonly entryNumber: string
    readonly billId: string
    readonly cents: number
  }[]
  /** As the file says them. */
  readonly totals: StatementSums & { readonly correctionsCents: number }
  /** Of the lines, and as the last line says it. */
  readonly hash: string
  readonly writtenHash: string
  readonly isStatement: boolean
}

/** Not a number where the text is no sum. */
const centsOf = (text: string | undefined): number =>
  /^-?\d{1,13}\.\d\d$/.test(text ?? '') ? Number((text ?? '').replace('.', '')) : Number.NaN

/** Reads the text of a file; nothing of it is proved yet. */
export function readStatement(text: string): ReadStatement {
  const end = text.lastIndexOf(hashTitle)
  const body = end < 0 ? text : text.slice(0, end)
  const rows = body
    .replace(/^\ufeff/, '')
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.split(','))
  const [head, company, span, previous] = rows
  const total = rows.find(([title]) => title === totalTitle) ?? []
  const [, bills, lines, ...sums] = total
  const [paidCents, feeCents, borneCents, partiesCents, ownerCents, correctionsCents] = sums.map(centsOf)
  return {
    agentId: company?.[1] ?? '',
    company: company?.[2] ?? '',
    firstDay: span?.[1] ?? '',
    lastDay: span?.[2] ?? '',
    previousHash: previous?.[1] ?? '',
    bills: rows.filter(([id, day]) => /^\d+$/.test(id ?? '') && /^\d{4}-\d\d-\d\d$/.test(day ?? '')).map(billOf),
    corrections: rows
      .filter(([title, day]) => title === correctionTitle && /^\d{4}-/.test(day ?? ''))
      .map(([, day = '', entryNumber = '', billId = '', cents]) => ({
        day,
        entryNumber,
        billId,
        cents: centsOf(cents),
      })),
    totals: {
      bills: Number(bills),
      lines: Number(lines),
      paidCents: paidCents ?? Number.NaN,
      feeCents: feeCents ?? Number.NaN,
      borneCents: borneCents ?? Number.NaN,
      partiesCents: partiesCents ?? Number.NaN,
      ownerCents: ownerCents ?? Number.NaN,
      correctionsCents: correctionsCents ?? Number.NaN,
    },
    hash: createHash('sha256').update(body).digest('hex'),
    writtenHash: end < 0 ? '' : text.slice(end + hashTitle.length + 1).trim(),
    isStatement: head?.join(',') === statementForm,
  }
}

function billOf(row: readonly string[]): ReadBill {
  const [id = '', day = '', , areaName = '', lines, ...cells] = row
  const [paid, fee, platform, partner, partiesText = '', owner] = cells
  const parties =
    partiesText === ''
      ? []
      : partiesText
          .split('|')
          .map((party) => ({ name: party.split(':')[1] ?? '', cents: centsOf(party.split(':')[2]) }))
  return {
    id,
    day,
    areaName,
    bills: 1,
    lines: Number(lines),
    paidCents: centsOf(paid),
    feeCents: centsOf(fee),
    borneCents: centsOf(platform) + centsOf(partner),
    partiesCents: sum(parties, ({ cents }) => cents),
    ownerCents: centsOf(owner),
    parties,
  }
}

export const sum = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((all, one) => all + of(one), 0)

const sumNames = [
  'bills',
  'lines',
  'paidCents',
  'feeCents',
  'borneCents',
  'partiesCents',
  'ownerCents',
] as const satisfies readonly (keyof StatementSums)[]

export function sumsOf(bills: readonly StatementSums[]): StatementSums {
  const [count, lines, paidCents, feeCents, borneCents, partiesCents, ownerCents] = sumNames.map((name) =>
    sum(bills, (bill) => bill[name]),
  )
  return {
    bills: count ?? 0,
    lines: lines ?? 0,
    paidCents: paidCents ?? 0,
    feeCents: feeCents ?? 0,
    borneCents: borneCents ?? 0,
    partiesCents: partiesCents ?? 0,
    ownerCents: ownerCents ?? 0,
  }
}

type StatementVerdict = {
  readonly hash: string
  readonly bills: number
  readonly paidCents: number
  /** None: every sum is right and the hash is that of the lines. */
  readonly faults: readonly string[]
}

const faultsMax = 20
const said = (cents: number): string => (Number.isNaN(cents) ? 'nothing' : yuanText(cents))

/**
 * Proves the file of a statement by itself: the hash of its lines, that the parts of each bill sum to its income, that its bills
 * are of its span, and that its totals are their sums. `hash` is what the platform shows of the statement.
 */
export function verifyStatement(text: string, shownHash?: string): StatementVerdict {
  const read = readStatement(text)
  const { hash, bills, totals, firstDay, lastDay } = read
  const faults: string[] = []
  if (!read.isStatement) faults.push('not the file of a statement')
  if (hash !== read.writtenHash)
    faults.push(`the lines have the hash ${hash}, the file says ${read.writtenHash || 'nothing'}`)
  if (shownHash !== undefined && shownHash.toLowerCase() !== hash) faults.push(`the platform shows ${shownHash}`)
  for (const { id, day, paidCents, feeCents, borneCents, partiesCents, ownerCents } of bills) {
    if (feeCents + borneCents + partiesCents + ownerCents !== paidCents)
      faults.push(`bill ${id}: its parts do not sum to ${said(paidCents)}`)
    if (day < firstDay || day > lastDay) faults.push(`bill ${id}: ${day} is not in the span`)
  }
  const sums = { ...sumsOf(bills), correctionsCents: sum(read.corrections, ({ cents }) => cents) }
  if (totals.bills !== sums.bills)
    faults.push(`${sums.bills} bills, the total says ${Number.isNaN(totals.bills) ? 'nothing' : totals.bills}`)
  if (totals.lines !== sums.lines) faults.push(`${sums.lines} lines, the total says ${totals.lines}`)
  for (const name of [
    'paidCents',
    'feeCents',
    'borneCents',
    'partiesCents',
    'ownerCents',
    'correctionsCents',
  ] as const) {
    if (totals[name] !== sums[name]) faults.push(`a total of ${said(totals[name])} instead of ${said(sums[name])}`)
  }
  return { hash, bills: sums.bills, paidCents: sums.paidCents, faults: faults.slice(0, faultsMax) }
}
