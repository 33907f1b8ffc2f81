import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import { downloadWithinMs } from './rules.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { notePackage } from './store.ts'

const fetchedRow = rowsOf(
  rowOf('upgrade_action', 'a', ['package']),
  rowOfValues({ begun: computed('boolean', sql`a.package > 0 or a.resumes > 0`) }),
)

/** Stores how far a device has fetched; false where its upgrade may not go on. */
export async function moveOn(
  kit: Pick<Kit, 'db' | 'clock'>,
  { actionId, artefactId, next }: { actionId: number; artefactId: number; next: number },
): Promise<boolean> {
  const at = new Date(kit.clock.now())
  return kit.db.system(async (tx) => {
    const { rows } = await fetchedRow.select`
      from upgrade_action a where id = ${actionId} and artefact_id = ${artefactId} and state = 'downloading'`.execute(
      tx,
    )
    const [action] = rows
    if (action === undefined) return false
    const deadline = new Date(kit.clock.now() + downloadWithinMs)
    const isRepeat = action.begun && next <= action.package
    return (await notePackage(tx, { id: actionId, next, isRepeat, at, deadline })) === 'sent'
  })
}
