import { sql } from 'kysely'
import { rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { sendChunk } from './send.ts'

/** Campaigns of one turn, and chunks of each: the next turn goes on. */
const campaignsMax = 50
const chunksMax = 600
/** Turns in a row that failed after which a campaign stands still until somebody looks. */
const faultsMax = 5

export type CampaignRunner = {
  /** Sends what is due. Resolves to the number of chunks. */
  run(): Promise<number>
}

const dueRow = rowOf('campaign', 'c', ['id'])

/** Sends campaigns, chunk by chunk. Safe on several servers at once. */
export function createCampaignRunner(kit: Pick<Kit, 'db' | 'clock' | 'log'>): CampaignRunner {
  const faults = new Map<number, number>()
  const runOne = async (id: number): Promise<number> => {
    for (let chunks = 1; chunks <= chunksMax; chunks += 1) {
      if ((await sendChunk(kit, id)) !== 'more') return chunks
    }
    return chunksMax
  }
  const failed = async (id: number, err: unknown): Promise<void> => {
    kit.log.error({ err, campaign: id }, 'a campaign could not be sent')
    const count = (faults.get(id) ?? 0) + 1
    faults.set(id, count)
    if (count < faultsMax) return
    faults.delete(id)
    await kit.db.system((tx) =>
      sql`
        update campaign set state = 'paused', halt = 'fault'
        where id = ${id} and state in ('scheduled', 'running')`.execute(tx),
    )
  }
  return {
    run: async () => {
      const now = new Date(kit.clock.now())
      const due = await kit.db.systemRead((k) =>
        dueRow.select`
          from campaign c
          where c.state in ('scheduled', 'running') and (c.starts_at is null or c.starts_at <= ${now})
          order by c.starts_at nulls first, c.id limit ${campaignsMax}`.compile(k),
      )
      let chunks = 0
      for (const { id } of due) {
        try {
          chunks += await runOne(id)
          faults.delete(id)
        } catch (err) {
          await failed(id, err)
        }
      }
      return chunks
    },
  }
}
