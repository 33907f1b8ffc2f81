import { Client } from 'pg'
import { startDatabaseClock } from '../databaseClock.ts'
import { databaseTime } from '../db/time.ts'
import type { Log } from '../log.ts'
import { StartRefusal } from './refusal.ts'

/** Beyond this, reports, codes and tokens are judged by a time that is not theirs. */
const refusedMs = 10_000
const warnedMs = 1_000

/** What the log or the refusal says of a clock that differs by so much; null for one that is right. */
export function clockFault(offsetMs: number): { readonly isRefused: boolean; readonly sentence: string } | null {
  const seconds = Math.round(Math.abs(offsetMs) / 1_000)
  if (Math.abs(offsetMs) < warnedMs) return null
  const side = offsetMs > 0 ? 'ahead of' : 'behind'
  return {
    isRefused: Math.abs(offsetMs) >= refusedMs,
    sentence: `The clock of this machine is ${seconds} s ${side} that of the database: set both by NTP and start again.`,
  }
}

/** Compares this machine's clock with that of the database: warns, or throws StartRefusal when they are far apart. */
export async function assertClock(options: {
  readonly url: string
  readonly log: Log
  readonly now: () => number
}): Promise<void> {
  const fault = clockFault(await measureOffset(options))
  if (fault?.isRefused === true) throw new StartRefusal(fault.sentence)
  if (fault !== null) options.log.warn(fault.sentence)
}

/** Milliseconds that this clock is ahead of the database's. */
async function measureOffset({ url, log, now }: Parameters<typeof assertClock>[0]): Promise<number> {
  const client = new Client({ connectionString: url, application_name: 'saddle clock' })
  await client.connect()
  try {
    const read = async (): Promise<number> => (await client.query<{ ms: number }>(databaseTime)).rows[0]?.ms ?? 0
    const clock = await startDatabaseClock({ read, log })
    await clock.stop()
    return now() - clock.now()
  } finally {
    await client.end()
  }
}
