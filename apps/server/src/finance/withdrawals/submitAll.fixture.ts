import type { Database } from '#kit/db/pool.ts'
import { sessionCall } from '#test/kit.ts'
import type { createWithdrawalHandlers } from './handlers.ts'
import type { Withdrawals } from './withdrawals.ts'

const codes = ['financial', 'financial_01', 'financial_06']

/** A person of a company who may withdraw its money. */
export const financePerson = (operatorId: number, agentId: number, agentIds = [agentId]) =>
  sessionCall({ operatorId, agentId, grant: { agentIds, areaIds: [] }, permissions: codes, name: `n${operatorId}` })

/** The two who act for a company: one files and submits, the other confirms. */
export const [filer, confirmer] = [30, 31]

/** Submits, confirms and sends all that a company has filed, and asks for what is due. */
export async function submitAll(
  world: {
    readonly db: Database
    readonly handlers: ReturnType<typeof createWithdrawalHandlers>
    readonly withdrawals: Withdrawals
  },
  agentId: number,
): Promise<void> {
  const { db, handlers, withdrawals } = world
  const ids = async (state: 'authorising' | 'waiting'): Promise<number[]> => {
    const rows = await db.systemRead((k) =>
      k
        .selectFrom('withdrawal')
        .select('id')
        .where('agent_id', '=', agentId)
        .where('state', '=', state)
        .orderBy('id')
        .compile(),
    )
    return rows.map(({ id }) => id)
  }
  for (const id of await ids('authorising')) await handlers.sendWithdrawal({ id }, financePerson(filer, agentId))
  for (const id of await ids('waiting')) await handlers.confirmWithdrawal({ id }, financePerson(confirmer, agentId))
  await withdrawals.work()
}
