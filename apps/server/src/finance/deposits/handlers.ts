import { depositFields, depositList, type Deposit, type depositEndpoints } from '@saddle/contract/finance/deposits.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { MoneyDeps } from '../deps.ts'
import { ofRider, ridersOf } from '../wallet/who.ts'
import { freeze, freeOf, giveBack, recover, unfreeze, type TakeBackGuard, type Step } from './steps.ts'
import { depositOf, depositRows, lockDeposit, selectDeposit } from './store.ts'

type Parts = MoneyDeps & { readonly guardTakeBack: TakeBackGuard }
type All = Handlers<typeof depositEndpoints>

export function createDepositHandlers(parts: Parts): All {
  return { ...createListing(parts), ...createSteps(parts) }
}

function createListing(parts: Parts): Pick<All, 'listDeposits' | 'sumDeposits' | 'exportDeposits'> {
  const { riders } = parts
  const list = serveList(parts, depositList, {
    name: 'deposits',
    prepare: async (filter, { scope }) => ({ riderIds: await ridersOf(riders, scope, filter) }),
    rows: depositRows,
    present: (row) => depositOf(row, riders),
    file: { action: 'deposit.export', fields: depositFields },
  })
  return { listDeposits: list.page, sumDeposits: list.sums, exportDeposits: list.file }
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
          audit.act(tx, call, { ...ofRider({ agentId, riderId }), action, after }),
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
          await parts.guardTakeBack(tx, deposit.rider_id)
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

async function readDeposit({ kit, riders }: Parts, scope: Scope, id: number): Promise<Deposit> {
  const [row] = await kit.db.read(scope, (k) => selectDeposit({ scope, id }).compile(k))
  if (row === undefined) throw new AppError('not_found')
  return depositOf(row, riders)
}
