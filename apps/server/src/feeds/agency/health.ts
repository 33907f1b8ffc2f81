import { mdsAgencyDays, type MdsAgency } from '@saddle/contract/feeds/agency.ts'
import { addDays, businessDayOf } from '@saddle/contract/time.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { selectFailed, selectHealth, selectSent, type FailedRow, type HealthRow, type SentRow } from './store.ts'

/** Where the jurisdictions of a company are sent, and how that goes. */
export async function readAgencies(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  { scope }: Pick<SessionCall, 'scope'>,
  agentId: number,
): Promise<ReadonlyMap<number, MdsAgency>> {
  const since = addDays(businessDayOf(clock.now()), 1 - mdsAgencyDays)
  const rows = await db.read(scope, (k) => selectHealth(agentId).compile(k))
  if (rows.length === 0) return new Map()
  const sent = await db.read(scope, (k) => selectSent({ agentId, since }).compile(k))
  const failed = await db.read(scope, (k) => selectFailed(agentId).compile(k))
  return new Map(rows.map((row) => [row.jurisdiction_id, present(row, sent, failed)]))
}

function present(row: HealthRow, sent: readonly SentRow[], failed: readonly FailedRow[]): MdsAgency {
  const isOwn = (one: { readonly jurisdiction_id: number }): boolean => one.jurisdiction_id === row.jurisdiction_id
  return {
    url: row.url,
    state: row.state,
    isPausedForFailure: row.is_paused_for_failure,
    failingSince: row.failing_since?.getTime() ?? null,
    failures: row.failures,
    fault: row.fault,
    lastSentAt: row.last_sent_at?.getTime() ?? null,
    vehicles: row.vehicles,
    waiting: row.waiting,
    waitingSince: row.waiting_since?.getTime() ?? null,
    telemetryUntil: row.telemetry_from.getTime(),
    sent: sent.filter(isOwn).map(({ kind, sent: count, refused }) => ({ kind, sent: count, refused })),
    failed: row.failed,
    failedLast: failed.filter(isOwn).map(({ kind, created_at: at, fault }) => ({ kind, at: at.getTime(), fault })),
    changedAt: row.changed_at.getTime(),
    changedBy: row.changed_by,
    version: row.version,
  }
}
