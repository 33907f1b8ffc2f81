import { hostname } from 'node:os'
import { sql } from 'kysely'
import { byProtocol, deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { unnest } from '#kit/db/unnest.ts'

export const tellEveryMs = 5_000
/** What a gateway that fell over left behind is shown as gone for so long. */
const forgottenAfterMs = dayMs

/** What one listener has seen since the start. */
export type Tally = {
  /** Stored. */
  reports: number
  /** Frames that break the protocol, devices that were turned away, lines that were closed for what they did. */
  rejected: number
  /** Reports on their way to the database. */
  waiting: number
}
export type Tallies = Readonly<Record<DeviceProtocol, Tally>>

export function createTallies(): Tallies {
  return byProtocol(() => ({ reports: 0, rejected: 0, waiting: 0 }))
}

type Row = Tally & { readonly protocol: DeviceProtocol; readonly sessions: number; readonly perSecond: number }

export type Health = {
  /** Writes down how the listeners are doing, when it is time to. */
  tick(): Promise<void>
  /** A gateway that was stopped on purpose is not missed. */
  close(): Promise<void>
}

/** Tells every few seconds how this gateway is doing, one row for each listener; silence says that it is gone. */
export function createHealth(options: {
  kit: Pick<Kit, 'db' | 'clock'>
  tallies: Tallies
  /** Devices that are signed in, by protocol. */
  sessions: () => Readonly<Record<DeviceProtocol, number>>
  node?: string
}): Health {
  const { kit, tallies, sessions, node = `${hostname()}-${process.pid}` } = options
  const startedAt = kit.clock.now()
  let toldAt = Number.NEGATIVE_INFINITY
  let toldReports = reportsOf(tallies)
  let running: Promise<void> | null = null

  const tell = async (): Promise<void> => {
    const nowMs = kit.clock.now()
    const seconds = (nowMs - Math.max(toldAt, startedAt)) / 1_000
    const counts = sessions()
    const rows = deviceProtocols.map((protocol): Row => {
      const { reports, rejected, waiting } = tallies[protocol]
      const perSecond = seconds > 0 ? (reports - toldReports[protocol]) / seconds : 0
      return { protocol, reports, rejected, waiting, sessions: counts[protocol], perSecond }
    })
    toldAt = nowMs
    toldReports = reportsOf(tallies)
    await kit.db.system(async (tx) => {
      await sql`
        insert into gateway_node
          (node, protocol, started_at, seen_at, sessions, reports, reports_per_second, rejected, waiting)
        select ${node}::text, r.protocol, ${new Date(startedAt)}::timestamptz, ${new Date(nowMs)}::timestamptz,
          r.sessions, r.reports, r.per_second, r.rejected, r.waiting
        from ${columns(rows)}
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
      if (kit.clock.now() - toldAt < tellEveryMs) return Promise.resolve()
      running = tell().finally(() => {
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

function columns(rows: readonly Row[]) {
  return unnest<Row>({
    rows,
    alias: 'r',
    columns: {
      protocol: ['text', ({ protocol }) => protocol],
      sessions: ['integer', (row) => row.sessions],
      reports: ['bigint', (row) => row.reports],
      per_second: ['real', ({ perSecond }) => perSecond],
      rejected: ['bigint', (row) => row.rejected],
      waiting: ['integer', (row) => row.waiting],
    },
  })
}
