import type { InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  splitBillFields,
  splitBillList,
  splitGroupsMax,
  splitLineFields,
  splitLineList,
  splitStatementFields,
  splitStatementList,
  type splitBillEndpoints,
} from '@saddle/contract/finance/splitBills.ts'
import { yuanText } from '@saddle/contract/money.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { serveList } from '#kit/list/serveList.ts'
import { randomUuid } from '#kit/random.ts'
import type { MoneyDeps } from '../deps.ts'
import { billCorrection } from '../ledger/recipes.ts'
import { selectForeignAreas } from '../depositSettings/store.ts'
import {
  billOf,
  billRows,
  groupOf,
  selectBalances,
  selectBill,
  selectGroups,
  selectOpenDay,
  selectTotals,
  statementOf,
  statementRows,
  totalsRow,
} from './store.ts'
import { lineOf, lineRows } from './lines.ts'
import { statementPages } from './statementPages.ts'
import { readStatementFile } from './statements.ts'
import { checkMayChange } from '../splitRules/handlers.ts'
import type { NewAct } from '../secondPerson/store.ts'

type Deps = Pick<MoneyDeps, 'kit' | 'audit' | 'ledger' | 'secondPerson'>
type All = Handlers<typeof splitBillEndpoints>

/** A correction of the income of a closed bill. */
export type Correction = {
  readonly agentId: number
  readonly billId: number
  /** Tells corrections of one bill apart; the same key posts once. */
  readonly key: string
  readonly cents: number
  readonly reason: string
}

/** Posts a correction in the caller's transaction, which is one of the system. Resolves to the number of its entry. */
export async function correct(
  { kit, ledger }: Pick<Deps, 'kit' | 'ledger'>,
  tx: Tx,
  correction: Correction,
): Promise<number> {
  const { number } = await ledger.post(billCorrection({ ...correction, at: kit.clock.now() }), tx)
  return number
}

/** Bills of closed days, their lines, and sealed statements. */
export function createBillHandlers(deps: Deps): All {
  return { ...createLists(deps), ...createReadings(deps), ...createCorrections(deps) }
}

function createLists(deps: Deps) {
  const bills = serveList(deps, splitBillList, {
    name: 'split-bills',
    rows: billRows,
    present: billOf,
    file: { action: 'split.export', fields: splitBillFields },
  })
  const lines = serveList(deps, splitLineList, {
    name: 'split-lines',
    rows: lineRows,
    present: lineOf,
    file: {
      action: 'split.lines_export',
      fields: splitLineFields,
      present: (row) => {
        const line = lineOf(row)
        return { ...line, shares: line.parties.map(({ name, cents }) => `${name} ${yuanText(cents)}`).join('；') }
      },
    },
  })
  const statements = serveList(deps, splitStatementList, {
    name: 'split-statements',
    rows: statementRows,
    present: statementOf,
    file: { action: 'split.statement_export', fields: splitStatementFields },
  })
  return {
    listSplitBills: bills.page,
    sumSplitBills: bills.sums,
    exportSplitBills: bills.file,
    listSplitLines: lines.page,
    exportSplitLines: lines.file,
    listSplitStatements: statements.page,
    exportSplitStatements: statements.file,
  }
}

function createReadings({ kit, audit }: Deps): Pick<All, 'splitTotals' | 'listSplitGroups' | 'splitStatementFile'> {
  return {
    splitTotals: async ({ filter }, { scope }) => {
      const agentIds = scope.agentIds.filter((id) => filter.agentIds === undefined || filter.agentIds.includes(id))
      const [[totals], [open], hasAll] = await Promise.all([
        kit.db.read(scope, (k) => selectTotals(scope, filter).compile(k)),
        kit.db.read(scope, (k) => selectOpenDay(scope, agentIds).compile(k)),
        hasAllAreas(agentIds, scope),
      ])
      if (totals === undefined) throw new Error('a sum has one row')
      const [balances] = hasAll ? await kit.db.read(scope, (k) => selectBalances(scope, agentIds).compile(k)) : []
      const now =
        balances === undefined
          ? null
          : {
              inTransitCents: balances.in_transit,
              availableCents: balances.available,
              withdrawingCents: balances.withdrawing,
              reserveCents: balances.reserve,
              receivableCents: balances.receivable,
            }
      return { suc: true, data: { ...totalsRow.present(totals), now, openDay: open?.day ?? null } }
    },

    listSplitGroups: async ({ by, filter }, { scope }) => {
      const limit = splitGroupsMax + 1
      const rows = await kit.db.read(scope, (k) => selectGroups(scope, { by, filter, limit }).compile(k))
      return { suc: true, data: { list: rows.slice(0, splitGroupsMax).map(groupOf), isCut: rows.length === limit } }
    },

    splitStatementFile: async ({ id, form }, call) => {
      const { scope } = call
      const file = await kit.db.withScope(scope, (tx) => readStatementFile(tx, { id, agentIds: scope.agentIds }))
      if (file === null) throw new AppError('not_found')
      const exportId = randomUuid(kit.random)
      await audit.noteExport(call, {
        exportId,
        action: 'split.statement_export',
        detail: { statementId: id, form },
      })
      const fileName = `statement-${file.agentId}-${file.lastDay}.${form}`
      const isPages = form === 'pdf'
      const pdf = isPages ? (await statementPages(file.text)).toString('base64') : null
      return { suc: true, data: { fileName, text: isPages ? '' : file.text, pdf, hash: file.hash } }
    },
  }

  /** What a company has as a whole is for who has all of its areas. */
  async function hasAllAreas(agentIds: readonly number[], scope: SessionCall['scope']): Promise<boolean> {
    const counts = await Promise.all(
      agentIds.map((agentId) => kit.db.systemRead((k) => selectForeignAreas(scope, agentId).compile(k))),
    )
    return counts.every(([foreign]) => foreign?.count === 0)
  }
}

/** A correction waits for a second person; its money moves in the transaction that confirms it. */
function createCorrections(deps: Deps): Pick<All, 'correctSplitBill'> {
  const { secondPerson } = deps
  return {
    correctSplitBill: async (input, call) => {
      const { act } = await correctionOf(deps, call, input)
      return { suc: true, data: { actId: await secondPerson.request(call, input, act) } }
    },
  }
}

/** The bill of the scope and the act that corrects it. Throws where the caller may not correct it. */
async function correctionOf(
  deps: Deps,
  call: SessionCall,
  { id, cents, reason }: InputOf<typeof splitBillEndpoints.correctSplitBill>,
): Promise<{ readonly day: string; readonly act: NewAct }> {
  const { scope } = call
  const [bill] = await deps.kit.db.read(scope, (k) => selectBill(scope, id).compile(k))
  if (bill === undefined) throw new AppError('not_found')
  const { agent_id: agentId, area_id: areaId, day } = bill
  await checkMayChange(deps, call, { agentId, areaId: areaId ?? undefined })
  return { day, act: { act: 'split_correction', agentId, areaId, riderId: null, cents: Math.abs(cents), reason } }
}

/** Books a correction for whoever confirms it: the same checks hold for the second person. */
export async function carryOutCorrection(
  deps: Deps,
  call: SessionCall,
  input: InputOf<typeof splitBillEndpoints.correctSplitBill>,
): Promise<void> {
  const { kit, audit, secondPerson } = deps
  const { id, cents, reason } = input
  const { act, day } = await correctionOf(deps, call, input)
  const { agentId, areaId } = act
  const key = `correction:${randomUuid(kit.random)}`
  await secondPerson.hold(call, input, (count) =>
    kit.db.system(async (tx) => {
      await count(tx, act)
      await audit.act(tx, call, {
        agentId,
        ...(areaId !== null && { areaId }),
        action: 'split.correct',
        subjectKind: 'agent',
        subjectId: agentId,
        after: { billId: id, day, cents, reason },
      })
      await correct(deps, tx, { agentId, billId: id, key, cents, reason })
    }),
  )
}
