import {
  ticketFields,
  ticketKinds,
  ticketList,
  type Ticket,
  type supportTicketEndpoints,
} from '@saddle/contract/support/tickets.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { each } from '#kit/each.ts'
import { codeOf } from '#kit/codes.ts'
import { serveList } from '#kit/list/serveList.ts'
import { tell } from '#notices/public.ts'
import type { TicketParts } from './parts.ts'
import { findPerson, selectPeople } from './people.ts'
import { feedbackOf, ticketOf, eventOf, orderOf, otherOf } from './present.ts'
import { checkAct, dueAfter, type TicketAct } from './rules.ts'
import {
  countWaiting,
  selectEvents,
  selectFeedbackOf,
  selectOrderOf,
  selectOthers,
  selectTicket,
  ticketRows,
} from './store.ts'
import { orderSubject, riderSubject, vehicleSubject, type Subject } from './subject.ts'
import { byOf, lockTicket, openTicket, takeStep, type LockedTicket } from './ticket.ts'
import { keepStepPhotos } from '../ticketPhotos.ts'

type Names = keyof typeof supportTicketEndpoints
type All = Handlers<typeof supportTicketEndpoints>

/** Tickets for support staff. */
export function createTicketHandlers(parts: TicketParts): All {
  return { ...createReading(parts), ...createWorking(parts) }
}

type Reading = 'listTickets' | 'ticketCounters' | 'ticket' | 'ticketPhotos' | 'ticketWorkers' | 'exportTickets'

function createReading(parts: TicketParts): Pick<All, Reading> {
  const { kit, photos, riders } = parts
  const now = (): Date => new Date(kit.clock.now())
  const list = serveList(parts, ticketList, {
    name: 'tickets',
    prepare: async ({ phone }, { scope, caller }) => ({
      riderIds: phone === undefined ? undefined : await riders.idsByPhone(scope, phone),
      operatorId: caller.operatorId,
      now: now(),
    }),
    rows: ticketRows,
    present: (row) => shown(parts, row),
    file: { action: 'ticket.export', fields: ticketFields },
  })
  return {
    listTickets: list.page,
    exportTickets: list.file,

    ticketCounters: async (_, { scope, caller }) => {
      const { operatorId } = caller
      const [row] = await kit.db.read(scope, (k) => countWaiting({ scope, operatorId, now: now() }).compile(k))
      if (row === undefined) throw new Error('an aggregate without a row')
      const { in_work: inWork, ...others } = row
      return { suc: true, data: { ...others, inWork } }
    },

    ticket: async ({ id }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectTicket({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      const { order_id: orderId, rider_id: riderId } = row
      const [events, made, orders, others] = await Promise.all([
        kit.db.read(scope, (k) => selectEvents({ id, scope }).compile(k)),
        kit.db.read(scope, (k) => selectFeedbackOf({ id, scope }).compile(k)),
        orderId === null ? [] : kit.db.read(scope, (k) => selectOrderOf({ orderId, scope }).compile(k)),
        riderId === null ? [] : kit.db.read(scope, (k) => selectOthers({ id, riderId, scope }).compile(k)),
      ])
      const [order] = orders
      const [feedback] = made
      const data = {
        ticket: shown(parts, row),
        events: events.map(eventOf),
        order: order === undefined ? null : orderOf(order),
        feedback: feedback === undefined ? null : feedbackOf(feedback),
        others: others.map(otherOf),
      }
      return { suc: true, data }
    },

    ticketPhotos: async ({ id, eventId }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectTicket({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      const events =
        eventId === undefined ? [] : await kit.db.read(scope, (k) => selectEvents({ id, scope }).compile(k))
      const ids = eventId === undefined ? row.photo_ids : events.find((event) => event.id === eventId)?.photo_ids
      if (ids === undefined) throw new AppError('not_found')
      return { suc: true, data: { list: await photos.read(scope, { purpose: 'ticket', ids }) } }
    },

    ticketWorkers: async (_, { scope }) => ({
      suc: true,
      data: { list: await kit.db.read(scope, (k) => selectPeople(scope).compile(k)) },
    }),
  }
}

function createWorking(parts: TicketParts): Pick<All, Exclude<Names, Reading>> {
  const { kit } = parts
  /** One step of one ticket of the scope, with its audit record. */
  const work = (call: SessionCall, step: Step): Promise<void> =>
    kit.db.withScope(call.scope, async (tx) => {
      const ticket = await lockTicket(tx, { id: step.id, scope: call.scope })
      checkAct(ticket.stateNow, step.act)
      await step.run(tx, ticket)
      await noteAct(parts, tx, call, { ticket, action: step.act, after: step.after ?? {} })
    })
  const now = (): Date => new Date(kit.clock.now())
  return {
    openTicket: async ({ kind, text, photos, ...named }, call) => {
      const id = await kit.db.withScope(call.scope, async (tx) => {
        const subject = await subjectOf(parts, tx, call, named)
        const by = byOf(call)
        const nowMs = kit.clock.now()
        const opened = await openTicket(parts, tx, { subject, kind, text, files: photos, requestId: null, by, nowMs })
        if (opened === null) throw new Error('a ticket without a request was there already')
        const ticket = { id: opened, agent_id: subject.agentId, area_id: subject.areaId }
        await noteAct(parts, tx, call, { ticket, action: 'open', after: { kind } })
        return opened
      })
      return readOne(parts, call, id)
    },

    resolveTicket: async ({ id, finding, reply, note }, call) => {
      const at = now()
      const by = byOf(call)
      const run = async (tx: Tx, ticket: LockedTicket): Promise<void> => {
        const mine = ticket.assignee_id === null ? { assignee_id: by.operatorId, assignee_name: by.name } : {}
        if (note !== '') await takeStep(tx, ticket, { event: { at, step: 'noted', by, text: note } })
        const changes = { state: 'resolved', finding, resolved_at: at, ...mine } as const
        await takeStep(tx, ticket, { event: { at, step: 'found', by, text: reply, finding }, changes })
      }
      await work(call, { id, act: 'find', run, after: { finding } })
      return readOne(parts, call, id)
    },

    replyToTicket: async ({ id, text, internal, photos: files }, call) => {
      const at = now()
      const by = byOf(call)
      const run = async (tx: Tx, ticket: LockedTicket): Promise<void> => {
        const photoIds = await keepStepPhotos(parts, tx, { kind: 'ticket', ticket, files })
        const taken = { state: 'in_work', assignee_id: by.operatorId, assignee_name: by.name } as const
        const changes = !internal && ticket.stateNow === 'open' ? taken : {}
        await takeStep(tx, ticket, { event: { at, step: internal ? 'noted' : 'replied', by, text, photoIds }, changes })
      }
      await work(call, { id, act: internal ? 'note' : 'reply', run })
      return readOne(parts, call, id)
    },

    assignTickets: async ({ ids, assigneeId }, call) =>
      many(ids, (id) =>
        work(call, {
          id,
          act: 'assign',
          run: (tx, ticket) => assign({ tx, ticket, assigneeId, call, at: now() }),
          after: { operatorId: assigneeId },
        }),
      ),

    transitionTickets: async ({ ids, act, note }, call) =>
      many(ids, (id) => work(call, { id, act, run: (tx, ticket) => turn({ tx, ticket, act, note, call, at: now() }) })),
  }
}

const many = async (ids: readonly number[], run: (id: number) => Promise<void>) => ({
  suc: true as const,
  data: await each(ids, run),
})

type Step = {
  readonly id: number
  readonly act: TicketAct
  readonly run: (tx: Tx, ticket: LockedTicket) => Promise<void>
  readonly after?: Readonly<Record<string, unknown>>
}

async function assign(options: {
  tx: Tx
  ticket: LockedTicket
  assigneeId: number | null
  call: SessionCall
  at: Date
}): Promise<void> {
  const { tx, ticket, assigneeId, call, at } = options
  const by = byOf(call)
  if (assigneeId === null) {
    const changes = { state: 'open', assignee_id: null, assignee_name: null } as const
    return takeStep(tx, ticket, { event: { at, step: 'assigned', by }, changes })
  }
  const { agent_id: agentId, area_id: areaId } = ticket
  const person = await findPerson(tx, { scope: call.scope, operatorId: assigneeId, agentId, areaId })
  if (person === undefined) throw new AppError('ticket_person_unfit')
  const { operatorId, name } = person
  const changes = { state: 'in_work', assignee_id: operatorId, assignee_name: name } as const
  await takeStep(tx, ticket, { event: { at, step: 'assigned', by, assigneeName: name }, changes })
  // Who takes a ticket knows of it.
  if (operatorId !== by.operatorId)
    await tell(tx, {
      event: 'ticket_assigned',
      agentId,
      subject: `ticket ${ticket.id}`,
      key: `ticket ${ticket.id} ${operatorId} ${at.getTime()}`,
      values: { number: String(ticket.id), ticket: ticket.kind, person: by.name },
      path: `/user-worksheet-detail?ticket=${ticket.id}`,
      operatorIds: [operatorId],
      at,
    })
}

async function turn(options: {
  tx: Tx
  ticket: LockedTicket
  act: 'start' | 'close' | 'reopen'
  note: string
  call: SessionCall
  at: Date
}): Promise<void> {
  const { tx, ticket, act, note: text, call, at } = options
  const by = byOf(call)
  const mine = { assignee_id: by.operatorId, assignee_name: by.name }
  if (act === 'start') {
    const changes = { state: 'in_work', ...mine } as const
    return takeStep(tx, ticket, { event: { at, step: 'started', by, text, assigneeName: by.name }, changes })
  }
  if (act === 'close') {
    return takeStep(tx, ticket, { event: { at, step: 'closed', by, text }, changes: { state: 'closed' } })
  }
  const changes = {
    state: ticket.assignee_id === null ? 'open' : 'in_work',
    due_at: new Date(dueAfter(codeOf(ticketKinds, ticket.kind), at.getTime())),
    reopened_count: ticket.reopened_count + 1,
  } as const
  await takeStep(tx, ticket, { event: { at, step: 'reopened', by, text }, changes })
}

const shown = ({ kit, riders }: TicketParts, row: Parameters<typeof ticketOf>[0]): Ticket =>
  ticketOf(row, { riders, nowMs: kit.clock.now() })

async function readOne(parts: TicketParts, { scope }: SessionCall, id: number) {
  const [row] = await parts.kit.db.read(scope, (k) => selectTicket({ id, scope }).compile(k))
  if (row === undefined) throw new AppError('not_found')
  return { suc: true as const, data: shown(parts, row) }
}

/** By the order, else by the vehicle and the rider who are named. */
async function subjectOf(
  { riders }: TicketParts,
  tx: Tx,
  { scope }: SessionCall,
  named: { orderId?: number | undefined; vehicleNumber?: string | undefined; phone?: string | undefined },
): Promise<Subject> {
  const { orderId, vehicleNumber, phone } = named
  if (orderId !== undefined) return orderSubject(tx, { orderId, scope })
  const vehicle = vehicleNumber === undefined ? null : await vehicleSubject(tx, { number: vehicleNumber, scope })
  const within = vehicle === null ? scope : { ...scope, agentIds: [vehicle.agentId] }
  const rider =
    phone === undefined
      ? null
      : await riderSubject(tx, { riderIds: await riders.idsByPhone(within, phone), scope: within })
  if (phone !== undefined && rider === null) throw new AppError('rider_unknown')
  const subject = vehicle ?? rider
  if (subject === null) throw new AppError('not_found')
  return { ...subject, riderId: rider?.riderId ?? null }
}

async function noteAct(
  { audit }: TicketParts,
  tx: Tx,
  call: SessionCall,
  note: {
    ticket: { id: number; agent_id: number; area_id: number | null }
    action: TicketAct | 'open'
    after: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const { ticket, action, after } = note
  await audit.act(tx, call, {
    agentId: ticket.agent_id,
    areaId: ticket.area_id,
    action: `ticket.${action}`,
    subjectKind: 'ticket',
    subjectId: ticket.id,
    after,
  })
}
