import { riderImportDays } from '@saddle/contract/finance/riderImports.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { MoneyDeps } from '../deps.ts'
import { takeWaiting } from './store.ts'

/** Batches that expire in one transaction. */
const batch = 20

/** Deletes what lies sealed in batches that nobody has decided on for too long; resolves to their number. */
export async function expireImports({ kit, audit }: Pick<MoneyDeps, 'kit' | 'audit'>): Promise<number> {
  const at = new Date(kit.clock.now())
  const before = new Date(at.getTime() - riderImportDays * dayMs)
  return kit.db.system(async (tx) => {
    const { rows } = await takeWaiting({ before, limit: batch }).execute(tx)
    for (const { id, agent_id: agentId, name, total } of rows) {
      await tx
        .updateTable('rider_import')
        .set({ state: 'expired', rows_sealed: null, ended_at: at })
        .where('id', '=', id)
        .execute()
      await audit.write(tx, {
        agentId,
        operatorId: null,
        action: 'rider_import.expire',
        subjectKind: 'rider_import',
        subjectId: id,
        before: { name, lines: total },
      })
    }
    return rows.length
  })
}
