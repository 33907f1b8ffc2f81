import { hostname } from 'node:os'
import { sql } from 'kysely'
import { byProtocol, deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { columnTable } from '#kit/db/columnTable.ts'

export const writeEveryMs = 5_000
/** The row of a gateway that crashed is shown as disconnected for this long. */
const forgottenAfterMs = dayMs

/** What one listener has counted since the start. */
export type Tally = {
  /** Reports that were stored. */
  reports: number
  /** Malformed frames, devices that were refused, connections that were closed because of what they sent. */
  rejected: number
  /** Reports on their way to the database. */
  waiting: number
}
export type Tallies = Readonly<Record<DeviceProtocol, Tally>>

export function createTallies(): Tallies {
  return byProtocol(() => ({ reports: 0, rejected: 0, waiting: 0 }))
}

/** What is stored of one listener. */
type ListenerFigures = Tally & {
  readonly node: string
  readonly protocol: DeviceProtocol
  readonly startedAt: number
  readonly seenAt: number
  readonly sessions: number
  readonly perSecond: number
}

export type Health = {
  /** Writes the figures of the listeners when they are due. */
  tick(): Promise<void>
  /** Removes the rows of this gateway: it was stopped on purpose. */
  close(): Promise<void>
}

/** Writes the figures of this gateway every few seconds, one row per listener. A row that is old says that the gateway crashed. */
export function createHealth(options: {
  kit: Pick<Kit, 'db' | 'clock'>
  tallies: Tallies
  /** Devices that are signed in, by protocol. */
  sessions: () => Readonly<Record<DeviceProtocol, number>>
  node?: string
}): Health {
  const { kit, tallies, sessions, node = `${hostname()}-${process.pid}` } = options
  const startedAt = kit.clock.now()
  let writtenAt = Number.NEGATIVE_INFINITY
  let writtenReports = reportsOf(tallies)
  let running: Promise<void> | null = null

  const writeRows = async (): Promise<void> => {
    const nowMs = kit.clock.now()
    const seconds = (nowMs - Math.max(writtenAt, startedAt)) / 1_000
    const counts = sessions()
    const rows = deviceProtocols.map((protocol): ListenerFigures => {
      const { reports, rejected, waiting } = tallies[protocol]
      const perSecond = seconds > 0 ? (reports - writtenReports[protocol]) / seconds : 0
      return {
        node,
        protocol,
        startedAt,
        seenAt: nowMs,
        reports,
        rejected,
        waiting,
        sessions: counts[protocol],
        perSecond,
      }
    })
    writtenAt = nowMs
    writtenReports = reportsOf(tallies)
    await kit.db.system(async (tx) => {
      await sql`
        ${nodeColumns.insert(rows)}
        on conflict (node, protocol) do update set
          started_at = excluded.started_at, seen_at = excluded.seen_at, sessions = excluded.sessions,
          reports = excluded.reports, reports_per_second = excluded.reports_per_second, rejected = excluded.rejected,
          waiting = excluded.waiting`.execute(tx)
      await sql`delete from gateway_node where seen_at < ${new Date(nowMs - forgottenAfterMs)}::timestamptz`.execute(tx)
    })
  }

  return {
    tick() {
      if (running !== null) return running
      if (kit.clock.now() - writtenAt < writeEveryMs) return Promise.resolve()
      running = writeRows().finally(() => {
        running = null
      })
      return running
    },
    async close() {
      await running
      await kit.db.system((tx) => tx.deleteFrom('gateway_node').where('node', '=', node).execute())
    },
  }
}

const reportsOf = (tallies: Tallies): Record<DeviceProtocol, number> =>
  byProtocol((protocol) => tallies[protocol].reports)

const nodeColumns = columnTable<ListenerFigures>()('gateway_node', {
  node: ['text', ({ node }) => node],
  protocol: ['text', ({ protocol }) => protocol],
  started_at: ['timestamptz', ({ startedAt }) => startedAt],
  seen_at: ['timestamptz', ({ seenAt }) => seenAt],
  sessions: ['integer', ({ sessions }) => sessions],
  reports: ['bigint', ({ reports }) => reports],
  reports_per_second: ['real', ({ perSecond }) => perSecond],
  rejected: ['bigint', ({ rejected }) => rejected],
  waiting: ['integer', ({ waiting }) => waiting],
})
