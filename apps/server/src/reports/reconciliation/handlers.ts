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
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import { channelBillScope } from '#finance/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import { chosenFile } from '#kit/list/listFile.ts'
import { serveList } from '#kit/list/serveList.ts'
import { spanBefore, spanYearBefore } from '../figures/rules.ts'
import { selectFresh } from '../figures/store.ts'
import { readCompanyDays, type DayReads } from './days.ts'
import { asLong, groupsOf, rowsOf, spanOver, totalOf, unevenDays, type CompanyDay, type Sums } from './rules.ts'
import { reconciledOf, selectCompanies, sideRows, type SourceRow } from './store.ts'

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit }

type Asked = Pick<ReconciliationFilter, 'from' | 'to' | 'agentIds' | 'channels'>

async function readDays({ db }: Deps['kit'], filter: Asked, call: SessionCall): Promise<CompanyDay[]> {
  const scope = channelBillScope(call)
  const reads: DayReads = {
    own: (query) => db.read(scope, (k) => query.compile(k)),
    system: (query) => db.systemRead((k) => query.compile(k)),
  }
  return readCompanyDays(reads, reconciledOf(filter, scope))
}

function sumsOf(days: readonly CompanyDay[]): Sums {
  const { missingBills: _missing, openDifferences: _open, ...sums } = totalOf(days)
  return sums
}

/** Days that are over beside as many of the span before and of the year before; a bill comes after its day. */
async function readCompared(
  { kit, compare }: { readonly kit: Deps['kit']; readonly compare: boolean },
  filter: Asked,
  call: SessionCall,
) {
  const span = { from: filter.from, to: filter.to }
  const over = compare ? spanOver(span, businessDayOf(kit.clock.now())) : null
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
  const rowsOfDays = async (days: readonly CompanyDay[], { by, states }: ReconciliationFilter, call: SessionCall) => {
    const ids = by === 'company' ? [...new Set(days.map(({ agentId }) => agentId))] : []
    const companies =
      ids.length === 0 ? [] : await kit.db.read(channelBillScope(call), (k) => selectCompanies(ids).compile(k))
    const names = new Map(companies.map(({ id, company }) => [String(id), company]))
    const rows = rowsOf(days, { by, nameOf: (key) => names.get(key) ?? key })
    return rows.filter(({ state }) => states === undefined || states.includes(state)).slice(0, reconciliationRowsMax)
  }
  const table = serveComputedList(deps, reconciliationList, {
    name: 'reconciliation',
    all: async (filter, call) => rowsOfDays(await readDays(kit, filter, call), filter, call),
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
    readReconciliation: async ({ filter, compare = true }, call) => {
      const [fresh] = await kit.db.read(call.scope, (k) => selectFresh.compile(k))
      const [days, { over, before, yearBefore }] = await Promise.all([
        readDays(kit, filter, call),
        readCompared({ kit, compare }, filter, call),
      ])
      const compared = sumsOf(days.filter(({ day }) => over !== null && day <= over.to))
      return {
        suc: true,
        data: {
          ...totalOf(days),
          groups: groupsOf(await rowsOfDays(days, filter, call)),
          comparedTo: over?.to ?? null,
          compared,
          before,
          yearBefore,
          freshAt: fresh?.at.getTime() ?? null,
        },
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
