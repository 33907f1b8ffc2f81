import {
  reconciliationFields,
  reconciliationList,
  reconciliationRowsMax,
  reconciliationRowSides,
  reconciliationSourceFields,
  reconciliationSourceList,
  type reconciliationEndpoints,
  type ReconciliationFilter,
  type ReconciliationRow,
  type ReconciliationRowSide,
} from '@saddle/contract/reports/reconciliation.ts'
import { businessDayOf, minuteMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import { channelBillScope } from '#finance/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import { chosenFile } from '#kit/list/listFile.ts'
import { serveList } from '#kit/list/serveList.ts'
import { spanBefore, spanYearBefore } from '../figures/rules.ts'
import { asLong, noSums, rowsOf, spanOver, totalOf, unevenDays, type CompanyDay, type Sums } from './rules.ts'
import {
  reconciledOf,
  selectBills,
  selectCleared,
  selectCompanies,
  selectOwn,
  sideRows,
  type SourceRow,
} from './store.ts'

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit }

/** An entry is in the ledger's sums after this at the latest, as long as the worker keeps up. */
const freshWithinMs = minuteMs

type Asked = Pick<ReconciliationFilter, 'from' | 'to' | 'agentIds' | 'channels'>

/** Every day of a company and channel on which one of the sides has something. */
async function readDays({ db }: Deps['kit'], filter: Asked, call: SessionCall): Promise<CompanyDay[]> {
  const scope = channelBillScope(call)
  const of = reconciledOf(filter, scope)
  const [bills, own, cleared] = await Promise.all([
    db.read(scope, (k) => selectBills(of).compile(k)),
    db.read(scope, (k) => selectOwn(of).compile(k)),
    db.systemRead((k) => selectCleared(of).compile(k)),
  ])
  const days = new Map<string, CompanyDay>()
  const dayOf = (row: Pick<CompanyDay, 'channel' | 'day'> & { readonly agent_id: number }): CompanyDay => {
    const { agent_id: agentId, channel, day } = row
    const key = `${agentId} ${channel} ${day}`
    const known = days.get(key) ?? { agentId, channel, day, sums: noSums(), openDifferences: 0, billState: null }
    days.set(key, known)
    return known
  }
  for (const row of bills) {
    const day = dayOf(row)
    day.billState = row.state === 'parked' ? 'parked' : 'matched'
    day.openDifferences = row.open_differences
    Object.assign(day.sums, {
      billPaidCents: row.bill_paid_cents,
      billRefundedCents: row.bill_refunded_cents,
      feeCents: row.fee_cents,
      heldCents: row.held_cents,
    })
  }
  for (const row of own) {
    Object.assign(dayOf(row).sums, {
      ownPaidCents: row.paid,
      ownRefundedCents: row.refunded,
      rideCents: row.ride,
      rechargeCents: row.recharge,
      depositCents: row.deposit,
      cardCents: row.card,
      serviceCents: row.service,
    })
  }
  for (const row of cleared) {
    Object.assign(dayOf(row).sums, { ledgerPaidCents: row.paid, ledgerRefundedCents: row.refunded })
  }
  return [...days.values()]
}

function sumsOf(days: readonly CompanyDay[]): Sums {
  const { missingBills: _missing, openDifferences: _open, ...sums } = totalOf(days)
  return sums
}

/** Days that are over beside as many of the span before and of the year before; a bill comes after its day. */
async function readCompared(kit: Deps['kit'], filter: Asked, call: SessionCall) {
  const span = { from: filter.from, to: filter.to }
  const over = spanOver(span, businessDayOf(kit.clock.now()))
  const others = [spanBefore(span), spanYearBefore(span)] as const
  const [before, yearBefore] = await Promise.all(
    others.map(async (other) => {
      const part = over === null ? other : asLong(other, over)
      const days = over === null ? [] : await readDays(kit, Object.assign({}, filter, part), call)
      return Object.assign({}, part, sumsOf(days))
    }),
  )
  if (before === undefined || yearBefore === undefined) throw new Error('two spans are compared')
  return { over, before, yearBefore }
}

const sortKeys = {
  key: ({ key }: ReconciliationRow) => key,
  billPaid: ({ billPaidCents }: ReconciliationRow) => billPaidCents,
  billDifference: ({ billDifferenceCents }: ReconciliationRow) => Math.abs(billDifferenceCents),
  ledgerDifference: ({ ledgerDifferenceCents }: ReconciliationRow) => Math.abs(ledgerDifferenceCents),
} as const

/** Reconciliation: what bills of channels, payments and refunds, and the ledger say beside each other. */
export function createReconciliationHandlers(deps: Deps): Handlers<typeof reconciliationEndpoints> {
  const { kit } = deps
  const table = serveComputedList(deps, reconciliationList, {
    name: 'reconciliation',
    all: async (filter, call) => {
      const days = await readDays(kit, filter, call)
      const ids = filter.by === 'company' ? [...new Set(days.map(({ agentId }) => agentId))] : []
      const companies =
        ids.length === 0 ? [] : await kit.db.read(channelBillScope(call), (k) => selectCompanies(ids).compile(k))
      const names = new Map(companies.map(({ id, company }) => [String(id), company]))
      const rows = rowsOf(days, { by: filter.by, nameOf: (key) => names.get(key) ?? key })
      const { states } = filter
      return rows.filter(({ state }) => states === undefined || states.includes(state)).slice(0, reconciliationRowsMax)
    },
    sorted: (rows, sort, direction) => {
      const sign = direction === 'asc' ? 1 : -1
      const valueOf = sortKeys[sort]
      return rows.toSorted((a, b) => {
        const [left, right] = [valueOf(a), valueOf(b)]
        return left === right ? (a.id < b.id ? -1 : 1) : sign * (left < right ? -1 : 1)
      })
    },
    file: { action: 'report.export_reconciliation', fields: reconciliationFields },
  })
  const served = (side: ReconciliationRowSide) =>
    serveList(deps, reconciliationSourceList, {
      name: `reconciliation-${side}`,
      rows: sideRows(side),
      scope: channelBillScope,
      isSummedWhole: true,
      prepare: async (filter, call) => ({
        ...filter,
        of: reconciledOf(filter, channelBillScope(call)),
        uneven: side === 'unmatched' ? unevenDays(await readDays(kit, filter, call)) : [],
      }),
      present: sourceOf,
      file: { action: 'report.export_reconciliation_rows', fields: reconciliationSourceFields },
    })
  const sides = Object.fromEntries(reconciliationRowSides.map((side) => [side, served(side)])) as Record<
    ReconciliationRowSide,
    ReturnType<typeof served>
  >
  return {
    readReconciliation: async ({ filter }, call) => {
      const [days, { over, before, yearBefore }] = await Promise.all([
        readDays(kit, filter, call),
        readCompared(kit, filter, call),
      ])
      const compared = sumsOf(days.filter(({ day }) => over !== null && day <= over.to))
      const freshAt = kit.clock.now() - freshWithinMs
      return {
        suc: true,
        data: { ...totalOf(days), comparedTo: over?.to ?? null, compared, before, yearBefore, freshAt },
      }
    },
    listReconciliation: table.page,
    exportReconciliation: table.file,
    listReconciliationRows: (question, call) => sides[question.filter.side].page(question, call),
    sumReconciliationRows: (question, call) => sides[question.filter.side].sums(question, call),
    exportReconciliationRows: chosenFile(sides.bill.file, ({ filter }) => sides[filter.side].file),
  }
}

const sourceOf = (row: SourceRow) => ({
  id: [row.key0, row.key1, row.key2].join(':'),
  at: row.at.getTime(),
  agentId: row.agent_id,
  company: row.company,
  channel: row.channel,
  side: row.side,
  number: row.number,
  kind: row.kind,
  isRefund: row.is_refund,
  cents: row.cents,
})
