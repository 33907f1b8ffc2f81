import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import { topic } from '#kit/bus.ts'
import { startJob } from '#kit/job.ts'
import { sendBatch, sendDue, type SendDeps } from './send.ts'
import { spread, spreadBatch } from './spread.ts'

/** People who have something new in their inbox. */
export const noticeTopic = topic<{ readonly operatorIds: readonly number[] }>('notice')

const spreadEveryMs = 1_000
const sendEveryMs = 2_000
const keptMs = 90 * dayMs
const sweepBatch = 2_000
/** Batches of one run; what is left waits for the next one. */
const batchesMax = 200
/** Of a run that nobody ends. */
const never = new AbortController().signal

export function createWorker(deps: SendDeps & { readonly kit: Kit }) {
  const { kit, channels } = deps
  const { db, bus, clock, log } = kit
  const spreadAll = async (ending = never): Promise<number> => {
    let total = 0
    for (let run = 0; run < batchesMax && !ending.aborted; run += 1) {
      const done = await db.system((tx) => spread(tx, { now: new Date(clock.now()), channels }))
      if (done.operatorIds.length > 0) bus.publish(noticeTopic, { operatorIds: done.operatorIds })
      total += done.notices
      if (done.notices < spreadBatch) break
    }
    return total
  }
  const sendAll = async (ending = never): Promise<number> => {
    let total = 0
    for (let run = 0; run < batchesMax && !ending.aborted; run += 1) {
      const sent = await sendDue(deps)
      total += sent
      if (sent < sendBatch) break
    }
    return total
  }
  const sweep = async (ending = never): Promise<void> => {
    const before = new Date(clock.now() - keptMs)
    for (let run = 0; run < batchesMax && !ending.aborted; run += 1) {
      const { rows } = await db.system((tx) =>
        sql`delete from notice where id in (
          select id from notice where at < ${before} and spread_at is not null order by at limit ${sweepBatch})
          returning id`.execute(tx),
      )
      if (rows.length < sweepBatch) break
    }
  }
  return {
    spread: () => spreadAll(),
    send: () => sendAll(),
    start: (): (() => Promise<void>) => {
      const jobs = [
        startJob({ log, everyMs: spreadEveryMs, run: spreadAll, failure: 'spreading notices failed' }),
        startJob({ log, everyMs: sendEveryMs, run: sendAll, failure: 'sending notices failed' }),
        startJob({ log, everyMs: hourMs, run: sweep, failure: 'removing old notices failed', isFirstLater: true }),
      ]
      return async () => {
        await Promise.all(jobs.map((job) => job.stop()))
      }
    },
  }
}
