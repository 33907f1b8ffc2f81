import type { Kit } from '#kit/kit.ts'
import { rowOf } from '#kit/db/rows.ts'
import { giveReward } from './grant.ts'
import type { RewardPorts } from './ports.ts'
import { lockRewards, lockRiderOf } from './store.ts'

const duePerTurn = 500

const dueRow = rowOf('reward', 'r', ['id'])

/**
 * Gives the pending rewards whose time has come, each in a transaction of its own, so that one that fails holds up none.
 * What is left comes with the next turn. Safe on several servers at once. Resolves to the number given.
 */
export async function giveDueRewards(
  { db, clock, log }: Pick<Kit, 'db' | 'clock' | 'log'>,
  ports: RewardPorts,
): Promise<number> {
  const at = new Date(clock.now())
  const due = await db.systemRead((k) =>
    dueRow.select`
      from reward r where r.state = 'pending' and r.due_at <= ${at} order by r.due_at, r.id limit ${duePerTurn}`.compile(
      k,
    ),
  )
  const given = await giveByIds(
    { db, log },
    ports,
    due.map(({ id }) => id),
    { at },
  )
  return given.length
}

/**
 * Gives pending rewards, each in a transaction of its own. Resolves to those that were given; with `countsOthers` also to
 * those that another server had given by then.
 */
export async function giveByIds(
  { db, log }: Pick<Kit, 'db' | 'log'>,
  ports: RewardPorts,
  ids: readonly number[],
  { at, countsOthers = false }: { readonly at: Date; readonly countsOthers?: boolean },
): Promise<number[]> {
  const given: number[] = []
  for (const id of ids) {
    try {
      const isGiven = await db.system(async (tx) => {
        await lockRiderOf(tx, id)
        const [row] = await lockRewards(tx, { agentIds: null, ids: [id] })
        if (countsOthers && row?.state === 'given') return true
        // Another server gave it, or somebody took it back meanwhile.
        if (row === undefined || row.state !== 'pending' || row.due_at === null || row.due_at > at) return false
        return (await giveReward(ports, tx, row, at)) === null
      })
      if (isGiven) given.push(id)
    } catch (err) {
      log.error({ err, id }, 'a reward could not be given')
    }
  }
  return given
}
