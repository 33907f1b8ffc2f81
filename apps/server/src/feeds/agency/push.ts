import { mdsAgencyLimits } from '@saddle/contract/feeds/agency.ts'
import { mdsSettledMs } from '@saddle/contract/feeds/mdsRecords.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import { isPauseDue, pauseAfter } from '#kit/retry.ts'
import { tell } from '#notices/public.ts'
import { CityDownError, openCity, type AgencyDeps, type City } from './city.ts'
import { sendQueued } from './queue.ts'
import { selectTargets, takeDue, type Target } from './store.ts'
import { sendTelemetry } from './telemetry.ts'
import { compareVehicles } from './vehicles.ts'

/** Cities that one server tells at once. */
const citiesAtOnce = 4
/** What is held for longer belongs to a server that ended. */
export const leaseMs = 5 * minuteMs
/** A server begins nothing new for a city after this part of its lease. */
const workMs = 3 * minuteMs

/**
 * Tells the cities that something is due for; resolves to their number. What was taken is noted afterwards: a server that is
 * killed in between leaves its lease, and the records are sent once more under the same ids.
 */
export async function pushDue(deps: AgencyDeps): Promise<number> {
  const { db, clock } = deps.kit
  const now = clock.now()
  const due = {
    now: new Date(now),
    leaseUntil: new Date(now + leaseMs),
    telemetryBefore: new Date(now - hourMs - mdsSettledMs),
    limit: citiesAtOnce,
  }
  const { rows } = await db.system((tx) => takeDue(due).execute(tx))
  if (rows.length === 0) return 0
  const ids = rows.map((row) => row.jurisdiction_id)
  const targets = await db.systemRead((k) => selectTargets(ids).compile(k))
  await Promise.all(targets.map((target) => tellCity(deps, target)))
  return targets.length
}

async function tellCity(deps: AgencyDeps, target: Target): Promise<void> {
  const { clock, log } = deps.kit
  const until = clock.now() + workMs
  const isOver = (): boolean => clock.now() >= until
  let fault: string | null = null
  let isSent = false
  try {
    const opened = await openCity(deps, target)
    const city: City = {
      ...opened,
      send: async (batch) => {
        const sent = await opened.send(batch)
        isSent ||= batch.items.length > 0
        return sent
      },
    }
    if (target.vehicles_at.getTime() <= clock.now()) await compareVehicles(deps, city)
    await sendQueued(deps, city, isOver)
    await sendTelemetry(deps, city, isOver)
  } catch (err) {
    if (!(err instanceof CityDownError))
      log.error({ err, jurisdictionId: target.jurisdiction_id }, 'a city was not told')
    fault = err instanceof CityDownError ? err.message : 'internal'
  }
  await release(deps, target, { fault, isSent })
}

/** Ends the lease, and notes whether the city is reached; a day without an answer pauses it. */
async function release(
  { kit }: AgencyDeps,
  target: Target,
  { fault, isSent }: { readonly fault: string | null; readonly isSent: boolean },
): Promise<void> {
  const { db, clock } = kit
  const now = clock.now()
  const at = new Date(now)
  const { jurisdiction_id: id, agent_id: agentId, name } = target
  await db.system(async (tx) => {
    if (fault === null) {
      const sentAt = isSent ? at : null
      await sql`update mds_agency set lease_until = null, failing_since = null, failures = 0, fault = null, held_until = null,
          last_sent_at = coalesce(${sentAt}::timestamptz, last_sent_at)
        where jurisdiction_id = ${id}`.execute(tx)
      return
    }
    const failingSince = target.failing_since ?? at
    const failures = target.failures + 1
    const isPaused = isPauseDue({ nowMs: now, failures, failingSinceMs: failingSince.getTime() })
    const { numAffectedRows = 0n } = await sql`
      update mds_agency set lease_until = null, failing_since = ${failingSince}, failures = ${failures}, fault = ${fault},
        held_until = ${new Date(now + pauseAfter(failures))},
        state = ${isPaused ? 'paused' : 'on'}, is_paused_for_failure = ${isPaused}
      where jurisdiction_id = ${id} and state = 'on'`.execute(tx)
    if (!isPaused || numAffectedRows === 0n) return
    await tell(tx, {
      event: 'mds_agency_paused',
      agentId,
      subject: `mds_agency ${id}`,
      key: `mds_agency ${id} ${failingSince.getTime()}`,
      values: { name, failures },
      path: '/agent/open-interfaces',
      at,
    })
  })
}

const sweepBatch = 2_000
const sweepsMax = 200

/** Removes what has waited for too long, or was refused long ago. */
export async function sweepPushes({ kit }: AgencyDeps): Promise<void> {
  const before = new Date(kit.clock.now() - mdsAgencyLimits.keepDays * dayMs)
  for (let run = 0; run < sweepsMax; run += 1) {
    const { numAffectedRows = 0n } = await kit.db.system((tx) =>
      sql`delete from mds_push where id in (
        select id from mds_push where created_at < ${before} order by created_at limit ${sweepBatch})`.execute(tx),
    )
    if (numAffectedRows < BigInt(sweepBatch)) return
  }
}
