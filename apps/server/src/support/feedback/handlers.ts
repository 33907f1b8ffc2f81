import {
  feedbackFields,
  feedbackList,
  feedbackPerDayMax,
  type feedbackEndpoints,
} from '@saddle/contract/support/feedback.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { serveList } from '#kit/list/serveList.ts'
import { createFeedbackActs } from './acts.ts'
import type { FeedbackDeps } from './deps.ts'
import { selectWorkerIds, selectWorkers } from './people.ts'
import { dueAfter, isOfPlatform } from './rules.ts'
import {
  countOpened,
  feedbackRows,
  insertFeedback,
  insertFeedbackEvent,
  presentFeedback,
  selectFeedback,
  selectFeedbackEvents,
  type FeedbackEventRow,
} from './store.ts'
import {
  findSubjects,
  mayName,
  readSubject,
  shownRiderTicket,
  shownSubject,
  subjectOfTicket,
  type Subject,
} from './subject.ts'
import { actsFor, byOf, feedbackPurpose, tellOfFeedback } from './ticket.ts'
import { keepTicketPhotos } from '../ticketPhotos.ts'

type All = Handlers<typeof feedbackEndpoints>
type Reading =
  | 'listFeedback'
  | 'exportFeedback'
  | 'feedback'
  | 'feedbackPhotos'
  | 'feedbackSubjects'
  | 'feedbackWorkers'

/** Tickets of staff to the platform. */
export function createFeedbackHandlers(deps: FeedbackDeps): All {
  return { ...createReading(deps), ...createOpening(deps), ...createFeedbackActs(deps) }
}

function createReading(deps: FeedbackDeps): Pick<All, Reading> {
  const { kit, photos } = deps
  const { db } = kit
  const now = (): Date => new Date(kit.clock.now())
  const list = serveList(deps, feedbackList, {
    name: 'feedback',
    prepare: (_, { caller }) => ({ viewer: caller, now: now() }),
    rows: feedbackRows,
    present: (row) => presentFeedback(row, kit.clock.now()),
    file: { action: 'feedback.export', fields: feedbackFields },
  })
  const readRow = async (id: number, { scope, caller }: SessionCall) => {
    const [row] = await db.read(scope, (k) => selectFeedback({ id, scope, viewer: caller }).compile(k))
    if (row === undefined) throw new AppError('not_found')
    return row
  }
  const readEvents = (id: number, { scope, caller }: SessionCall): Promise<FeedbackEventRow[]> =>
    db.read(scope, (k) => selectFeedbackEvents({ id, withNotes: isOfPlatform(caller) }).compile(k))
  return {
    listFeedback: list.page,
    exportFeedback: list.file,

    feedback: async ({ id }, call) => {
      const row = await readRow(id, call)
      const [events, subject, riderTicket] = await Promise.all([
        readEvents(id, call),
        shownSubject(kit, row, call),
        shownRiderTicket(kit, row, call),
      ])
      const data = {
        ticket: presentFeedback(row, kit.clock.now()),
        text: row.text,
        photoCount: row.photo_ids.length,
        ratingText: row.rating_text,
        events: events.map(({ at, ...event }) => ({
          id: event.id,
          at: at.getTime(),
          step: event.step,
          authorName: event.author_name,
          fromPlatform: event.from_platform,
          text: event.text,
          assigneeName: event.assignee_name,
          priority: event.priority,
          photoCount: event.photo_ids.length,
        })),
        subject,
        riderTicket,
        acts: actsFor(row, call.caller, kit.clock.now()),
      }
      return { suc: true, data }
    },

    feedbackPhotos: async ({ id, eventId }, call) => {
      const row = await readRow(id, call)
      const events = eventId === undefined ? [] : await readEvents(id, call)
      const ids = eventId === undefined ? row.photo_ids : events.find((event) => event.id === eventId)?.photo_ids
      if (ids === undefined) throw new AppError('not_found')
      return { suc: true, data: { list: await photos.read(call.scope, { purpose: feedbackPurpose, ids }) } }
    },

    feedbackSubjects: async ({ kind, word }, call) => {
      if (!mayName(kind, call)) throw new AppError('forbidden')
      return { suc: true, data: { list: await findSubjects(kit, { kind, word, scope: call.scope }) } }
    },

    feedbackWorkers: async (_, { scope }) => ({
      suc: true,
      data: { list: await db.read(scope, (k) => selectWorkers(scope).compile(k)) },
    }),
  }
}

function createOpening(deps: FeedbackDeps): Pick<All, 'openFeedback'> {
  const { kit, audit } = deps
  const { db } = kit
  return {
    openFeedback: async ({ kind, priority, title, text, subject: named, ticketId, photos: files }, call) => {
      const workers = await db.systemRead((k) => selectWorkerIds().compile(k))
      // About nothing in particular: the person's own company asks, whatever is selected now.
      const scope = named === undefined && ticketId === undefined ? call.grant : call.scope
      const data = await db.withScope(scope, async (tx) => {
        const at = new Date(kit.clock.now())
        const by = byOf(call)
        const since = new Date(at.getTime() - dayMs)
        if ((await countOpened(tx, { authorId: by.operatorId, since })) >= feedbackPerDayMax)
          throw new AppError('feedback_too_many')
        const { agentId, areaId, columns } = await subjectOf(tx, call, { named, ticketId })
        const photoIds = await keepTicketPhotos(deps, tx, { kind: 'feedback', agentId, areaId, files })
        const id = await insertFeedback(tx, {
          agentId,
          areaId,
          ...columns,
          author: by,
          kind,
          priority,
          title,
          text,
          photoIds,
          ticketId: ticketId ?? null,
          openedAt: at,
          dueAt: new Date(dueAfter(priority, at.getTime())),
        })
        if (id === null) throw new AppError('feedback_made')
        const [row] = (await selectFeedback({ id, scope, viewer: call.caller }).execute(tx)).rows
        if (row === undefined) throw new Error(`no feedback ticket ${id}`)
        const fromPlatform = isOfPlatform(call.caller)
        await insertFeedbackEvent(tx, row, { at, step: 'opened', by, fromPlatform })
        await tellOfFeedback(tx, row, {
          event: 'feedback_opened',
          values: { company: row.company, title, feedback: kind, priority },
          operatorIds: workers.map((worker) => worker.id),
          by,
          at,
        })
        await audit.act(tx, call, {
          agentId,
          areaId,
          action: 'feedback.open',
          subjectKind: 'feedback',
          subjectId: id,
          after: { kind, priority },
        })
        return presentFeedback(row, at.getTime())
      })
      return { suc: true, data }
    },
  }
}

/** What the ticket is about and whose it becomes. Throws forbidden where the caller may not open such a thing. */
async function subjectOf(
  tx: Tx,
  call: SessionCall,
  {
    named,
    ticketId,
  }: {
    readonly named: { readonly kind: Parameters<typeof mayName>[0]; readonly id: number } | undefined
    readonly ticketId: number | undefined
  },
): Promise<Subject> {
  const { scope } = call
  if (ticketId !== undefined) {
    if (!call.caller.permissions.has('0401')) throw new AppError('forbidden')
    return subjectOfTicket(tx, { ticketId, scope })
  }
  if (named === undefined) return { agentId: call.caller.agentId, areaId: null, columns: {} }
  if (!mayName(named.kind, call)) throw new AppError('forbidden')
  return readSubject(tx, { ...named, scope })
}
