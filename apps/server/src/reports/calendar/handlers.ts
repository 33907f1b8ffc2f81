import type { ReportCalendar, reportCalendarEndpoints } from '@saddle/contract/reports/calendar.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { askForCalendar, selectCalendar, type lockAsked } from './store.ts'

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock'>; readonly audit: Audit }

const usual: ReportCalendar = { zone: 'Asia/Shanghai', dayStartsAt: 0 }

/** By which time zone, and from which hour on, a company's business days count in reports. */
export function createCalendarHandlers({ kit, audit }: Deps): Handlers<typeof reportCalendarEndpoints> {
  const { db, clock } = kit
  return {
    readReportCalendar: async (_input, { caller, grant }) => {
      const [row] = await db.read(grant, (k) => selectCalendar(caller.agentId).compile(k))
      const { now, pending } = calendarsOf(row)
      const { changed_at: changedAt = null, changed_by: changedBy = null } = row ?? {}
      return { suc: true, data: { ...now, changedAt: changedAt?.getTime() ?? null, changedBy, pending } }
    },

    changeReportCalendar: ({ zone, dayStartsAt }, call) => {
      const { agentId, operatorId, name } = call.caller
      return db.withScope(call.grant, async (tx) => {
        const { now, pending } = calendarsOf((await selectCalendar(agentId).execute(tx)).rows[0])
        const before = pending ?? now
        const at = new Date(clock.now())
        await askForCalendar(tx, { agentId, zone, dayStartsAt, at, by: { operatorId, name } })
        await audit.act(tx, call, {
          agentId,
          action: 'report.calendar',
          subjectKind: 'agent',
          subjectId: String(agentId),
          before,
          after: { zone, dayStartsAt },
        })
        return { suc: true, data: { before } }
      })
    },
  }
}

type Row = NonNullable<Awaited<ReturnType<typeof lockAsked>>>

/** What the figures follow, and what is asked for. */
function calendarsOf(row: Row | undefined): { readonly now: ReportCalendar; readonly pending: ReportCalendar | null } {
  if (row === undefined) return { now: usual, pending: null }
  const { zone, day_starts_at: dayStartsAt, asked_zone: askedZone, asked_day_starts_at: askedStart } = row
  const pending = askedZone === null || askedStart === null ? null : { zone: askedZone, dayStartsAt: askedStart }
  return { now: { zone, dayStartsAt }, pending }
}
