import {
  depositStateLabels,
  freeCents,
  type CaseState,
  type Deposit,
  type DepositCase,
  type depositEndpoints,
  type DepositFilter,
} from '@saddle/contract/finance/deposits.ts'
import { paymentChannelLabels, paymentChannels } from '@saddle/contract/finance/payments.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { exportPart, type CsvColumns } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime } from '#kit/csv.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { known } from '#kit/known.ts'
import { cursorOf, idOfCursor, moneyPartRows } from '../wallet/file.ts'
import { pageOf, type Page } from '../wallet/read.ts'
import { noteOf, ridersOf, type MoneyParts } from '../wallet/who.ts'
import { insertSetting, selectAreas, selectSettingHistory, selectSettings, settingOf } from './settings.ts'
import { freeze, freeOf, giveBack, recover, unfreeze, type LeavingGuard, type Step } from './steps.ts'
import { lockDeposit, selectCases, selectDeposits, type CaseRow, type ListedDepositRow } from './store.ts'

type Parts = MoneyParts & { readonly guardLeaving: LeavingGuard }
type All = Handlers<typeof depositEndpoints>

export function createDepositHandlers(parts: Parts): All {
  return { ...createListing(parts), ...createSteps(parts), ...createSettings(parts) }
}

function createListing(parts: Parts): Pick<All, 'listDeposits' | 'exportDeposits'> {
  return {
    listDeposits: async (asked, { scope }) => ({ suc: true, data: await readDeposits(parts, scope, asked) }),

    exportDeposits: async ({ filter, cursor, exportId }, call) => {
      const before = idOfCursor(cursor)
      const asked = { filter, cursor: before, pageSize: moneyPartRows }
      const { list, nextCursor } = await readDeposits(parts, call.scope, asked)
      const file = { name: 'deposits', action: 'deposit.export', filter, exportId, columns: depositColumns }
      const part = { ...file, rows: list, isFirst: before === undefined, nextCursor: cursorOf(nextCursor) }
      return { suc: true, data: await exportPart(parts, call, part) }
    },
  }
}

const depositColumns: CsvColumns<Deposit> = [
  ['押金编号', (row) => row.id],
  ['用户编号', (row) => row.riderId],
  ['手机号', (row) => row.riderPhone],
  ['加盟商', (row) => row.company],
  ['状态', (row) => depositStateLabels[row.state]],
  ['渠道', (row) => paymentChannelLabels[row.channel]],
  ['金额(元)', (row) => row.cents / 100],
  ['可用(元)', (row) => freeCents(row) / 100],
  ['冻结(元)', (row) => row.frozenCents / 100],
  ['已扣(元)', (row) => row.recoveredCents / 100],
  ['已退(元)', (row) => row.refundedCents / 100],
  ['交纳时间', (row) => businessTime(row.paidAt)],
]

async function readDeposits(
  parts: Parts,
  scope: Scope,
  { filter, cursor, pageSize }: { filter: DepositFilter; cursor?: number | undefined; pageSize: number },
): Promise<Page<Deposit>> {
  const { states, from, to } = filter
  const riderIds = await ridersOf(parts.riders, scope, filter)
  const rows = await readRows(parts, scope, { riderIds, states, from, to, before: cursor, limit: pageSize + 1 })
  const cases = await readCases(parts.kit, scope, rows)
  const present = (row: ListedDepositRow): Deposit => depositOf(row, cases.get(row.id) ?? [], parts)
  return pageOf({ rows, pageSize, idOf: ({ id }) => id, present })
}

type StepNames = 'freezeDeposit' | 'unfreezeDeposit' | 'recoverDeposit' | 'refundDeposit'

function createSteps(parts: Parts): Pick<All, StepNames> {
  const { kit, audit } = parts
  const step = async (
    call: SessionCall,
    action: string,
    work: (tx: Tx, common: Step) => Promise<number>,
  ): Promise<{ suc: true; data: Deposit }> => {
    const { operatorId, name: operatorName } = call.caller
    const id = await kit.db.system((tx) =>
      work(tx, {
        scope: call.scope,
        by: { operatorId, operatorName, at: new Date(kit.clock.now()) },
        note: ({ agent_id: agentId, rider_id: riderId }, after) =>
          audit.write(tx, { ...noteOf(call, { agentId, riderId }), action, after }),
      }),
    )
    return { suc: true, data: await readDeposit(parts, call.scope, id) }
  }
  return {
    freezeDeposit: (asked, call) =>
      step(call, 'deposit.freeze', (tx, common) => freeze(parts, tx, { ...common, ...asked })),
    unfreezeDeposit: (asked, call) =>
      step(call, 'deposit.unfreeze', (tx, common) => unfreeze(parts, tx, { ...common, ...asked })),
    recoverDeposit: (asked, call) =>
      step(call, 'deposit.recover', (tx, common) => recover(parts, tx, { ...common, ...asked })),
    refundDeposit: (input, call) =>
      parts.secondPerson.hold(call, input, (count) =>
        step(call, 'deposit.refund', async (tx, { scope, note }) => {
          const { depositId, reason } = input
          const deposit = await lockDeposit(tx, { scope, id: depositId })
          await parts.guardLeaving(tx, deposit.rider_id)
          const cents = freeOf(deposit)
          if (cents === 0) throw new AppError('deposit_insufficient')
          const who = { agentId: deposit.agent_id, riderId: deposit.rider_id }
          await count(tx, { act: 'deposit_refund', ...who, areaId: null, cents, reason })
          await note(deposit, { depositId, cents, reason })
          await giveBack(parts, tx, [deposit], reason)
          return depositId
        }),
      ),
  }
}

function createSettings({ kit, audit }: Parts): Pick<All, 'depositSettings' | 'setDeposit'> {
  return {
    depositSettings: async (_, { scope }) => {
      const [settings, history] = await Promise.all([
        kit.db.read(scope, (k) => selectSettings(scope).compile(k)),
        kit.db.read(scope, (k) => selectSettingHistory(scope).compile(k)),
      ])
      return { suc: true, data: { settings: settings.map(settingOf), history: history.map(settingOf) } }
    },

    setDeposit: async ({ areaIds, ...setting }, call) => {
      const { scope, caller } = call
      const areas = await kit.db.withScope(scope, async (tx) => {
        const ids = [...new Set(areaIds)]
        const found = (await selectAreas(scope, ids).execute(tx)).rows
        if (found.length < ids.length) throw new AppError('not_found')
        const author = { authorId: caller.operatorId, authorName: caller.name, at: new Date(kit.clock.now()) }
        for (const { id: areaId, agent_id: agentId } of found) {
          await insertSetting(tx, { agentId, areaId, ...setting, ...author })
        }
        for (const { id: areaId, agent_id: agentId } of found) {
          await audit.write(tx, {
            agentId,
            areaId,
            operatorId: caller.operatorId,
            action: 'deposit.set',
            subjectKind: 'area',
            subjectId: String(areaId),
            after: setting,
            address: call.address,
            requestId: call.requestId,
          })
        }
        return found.length
      })
      return { suc: true, data: { areas } }
    },
  }
}

async function readRows(
  { kit }: Pick<Parts, 'kit'>,
  scope: Scope,
  asked: Omit<Parameters<typeof selectDeposits>[0], 'scope'>,
): Promise<ListedDepositRow[]> {
  return kit.db.read(scope, (k) => selectDeposits({ scope, ...asked }).compile(k))
}

async function readCases(
  kit: Parts['kit'],
  scope: Scope,
  rows: readonly ListedDepositRow[],
): Promise<Map<number, CaseRow[]>> {
  if (rows.length === 0) return new Map()
  const query = selectCases({ scope, depositIds: rows.map(({ id }) => id) })
  return Map.groupBy(await kit.db.read(scope, (k) => query.compile(k)), (row) => row.deposit_id)
}

async function readDeposit(parts: Parts, scope: Scope, id: number): Promise<Deposit> {
  const rows = await readRows(parts, scope, { ids: [id], limit: 1 })
  const cases = await readCases(parts.kit, scope, rows)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return depositOf(row, cases.get(id) ?? [], parts)
}

function depositOf(row: ListedDepositRow, cases: readonly CaseRow[], { riders }: Pick<Parts, 'riders'>): Deposit {
  return {
    id: row.id,
    agentId: row.agent_id,
    company: row.company,
    riderId: row.rider_id,
    riderPhone: riders.maskedPhone(row),
    channel: known(paymentChannels, row.channel),
    state: row.state,
    cents: row.cents,
    frozenCents: row.frozen_cents,
    recoveredCents: row.recovered_cents,
    refundedCents: row.refunded_cents,
    paidAt: row.paid_at.getTime(),
    cases: cases.map(caseOf),
  }
}

function caseOf(row: CaseRow): DepositCase {
  const state: CaseState = row.state
  return {
    id: row.id,
    cents: row.cents,
    recoveredCents: row.recovered_cents,
    state,
    reason: row.reason,
    operatorName: row.operator_name,
    openedAt: row.opened_at.getTime(),
    decision: row.decision,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at?.getTime() ?? null,
  }
}
