import {
  complaintCountMax,
  complaintExportPartRows,
  complaintKinds,
  type Complaint,
  type complaintEndpoints,
  type ComplaintFilter,
  type ComplaintSort,
} from '@saddle/contract/support/complaints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { exportPart } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { known } from '#kit/known.ts'
import type { ComplaintParts } from './parts.ts'
import { findPerson, selectPeople } from './people.ts'
import { complaintOf, eventOf, orderOf, otherOf } from './present.ts'
import {
  checkAct,
  complaintColumns,
  dueAfter,
  idOfNumber,
  readCursor,
  writeCursor,
  type ComplaintAct,
  type ComplaintCursor,
} from './rules.ts'
import {
  countComplaints,
  countWaiting,
  selectComplaint,
  selectComplaints,
  selectEvents,
  selectOrderOf,
  selectOthers,
  type ComplaintSearch,
} from './store.ts'
import { orderSubject, riderSubject, vehicleSubject, type Subject } from './subject.ts'
import { byOf, keepStepPhotos, lockTicket, openTicket, takeStep, type Ticket } from './ticket.ts'

type Names = keyof typeof complaintEndpoints
type All = Handlers<typeof complaintEndpoints>

/** Tickets for support staff. */
export function createComplaintHandlers(parts: ComplaintParts): All {
  return { ...createReading(parts), ...createWorking(parts) }
}

type Reading = 'listComplaints' | 'complaint' | 'complaintPhotos' | 'complaintWorkers' | 'exportComplaints'

function createReading(parts: ComplaintParts): Pick<All, Reading> {
  const { kit, photos } = parts
  return {
    listComplaints: async ({ filter, sort, cursor, pageSize }, call) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const search = await searchOf(parts, call, filter)
      const [found, total, waiting] = await Promise.all([
        readPage(parts, { search, sort, after, limit: pageSize }),
        after === null ? kit.db.read(call.scope, (k) => countComplaints(search).compile(k)) : null,
        after === null ? kit.db.read(call.scope, (k) => countWaiting(search).compile(k)) : null,
      ])
      const count = total === null ? null : (total[0]?.count ?? 0)
      const isCountCut = count !== null && count > complaintCountMax
      const [row] = waiting ?? []
      const { in_work: inWork = 0, ...others } = row ?? {}
      const counters = row === undefined ? null : { ...row, ...others, inWork }
      return { suc: true, data: { ...found, count: isCountCut ? complaintCountMax : count, isCountCut, counters } }
    },

    complaint: async ({ id }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectComplaint({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      const { order_id: orderId, rider_id: riderId } = row
      const [events, orders, others] = await Promise.all([
        kit.db.read(scope, (k) => selectEvents({ id, scope }).compile(k)),
        orderId === null ? [] : kit.db.read(scope, (k) => selectOrderOf({ orderId, scope }).compile(k)),
        riderId === null ? [] : kit.db.read(scope, (k) => selectOthers({ id, riderId, scope }).compile(k)),
      ])
      const [order] = orders
      const data = {
        complaint: shown(parts, row),
        events: events.map(eventOf),
        order: order === undefined ? null : orderOf(order),
        others: others.map(otherOf),
      }
      return { suc: true, data }
    },

    complaintPhotos: async ({ id, eventId }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectComplaint({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      const events =
        eventId === undefined ? [] : await kit.db.read(scope, (k) => selectEvents({ id, scope }).compile(k))
      const ids = eventId === undefined ? row.photo_ids : events.find((event) => event.id === eventId)?.photo_ids
      if (ids === undefined) throw new AppError('not_found')
      return { suc: true, data: { list: await photos.read(scope, { purpose: 'complaint', ids }) } }
    },

    complaintWorkers: async (_, { scope }) => ({
      suc: true,
      data: { list: await kit.db.read(scope, (k) => selectPeople(scope).compile(k)) },
    }),

    exportComplaints: async ({ filter, sort, cursor, exportId }, call) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const search = await searchOf(parts, call, filter)
      const page = await readPage(parts, { search, sort, after, limit: complaintExportPartRows })
      const file = { name: 'tickets', action: 'complaint.export', filter, columns: complaintColumns, exportId }
      const part = { ...file, rows: page.list, isFirst: after === null, nextCursor: page.nextCursor }
      return { suc: true, data: await exportPart(parts, call, part) }
    },
  }
}

function createWorking(parts: ComplaintParts): Pick<All, Exclude<Names, Reading>> {
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
    openComplaint: async ({ kind, text, photos, ...named }, call) => {
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

    findComplaint: async ({ id, finding, reply, note }, call) => {
      const at = now()
      const by = byOf(call)
      const run = async (tx: Tx, ticket: Ticket): Promise<void> => {
        const mine = ticket.assignee_id === null ? { assignee_id: by.operatorId, assignee_name: by.name } : {}
        if (note !== '') await takeStep(tx, ticket, { event: { at, step: 'noted', by, text: note } })
        const changes = { state: 'resolved', finding, resolved_at: at, ...mine } as const
        await takeStep(tx, ticket, { event: { at, step: 'found', by, text: reply, finding }, changes })
      }
      await work(call, { id, act: 'find', run, after: { finding } })
      return readOne(parts, call, id)
    },

    replyToComplaint: async ({ id, text, internal, photos: files }, call) => {
      const at = now()
      const by = byOf(call)
      const run = async (tx: Tx, ticket: Ticket): Promise<void> => {
        const photoIds = await keepStepPhotos(parts, tx, { ticket, files })
        const taken = { state: 'in_work', assignee_id: by.operatorId, assignee_name: by.name } as const
        const changes = !internal && ticket.stateNow === 'open' ? taken : {}
        await takeStep(tx, ticket, { event: { at, step: internal ? 'noted' : 'replied', by, text, photoIds }, changes })
      }
      await work(call, { id, act: internal ? 'note' : 'reply', run })
      return readOne(parts, call, id)
    },

    assignComplaints: async ({ ids, assigneeId }, call) =>
      each(ids, (id) =>
        work(call, {
          id,
          act: 'assign',
          run: (tx, ticket) => assign({ tx, ticket, assigneeId, call, at: now() }),
          after: { operatorId: assigneeId },
        }),
      ),

    turnComplaints: async ({ ids, act, note }, call) =>
      each(ids, (id) => work(call, { id, act, run: (tx, ticket) => turn({ tx, ticket, act, note, call, at: now() }) })),
  }
}

type Step = {
  readonly id: number
  readonly act: ComplaintAct
  readonly run: (tx: Tx, ticket: Ticket) => Promise<void>
  readonly after?: Readonly<Record<string, unknown>>
}

async function assign(options: {
  tx: Tx
  ticket: Ticket
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
  if (person === undefined) throw new AppError('complaint_person_unfit')
  const { operatorId, name } = person
  const changes = { state: 'in_work', assignee_id: operatorId, assignee_name: name } as const
  await takeStep(tx, ticket, { event: { at, step: 'assigned', by, assigneeName: name }, changes })
}

async function turn(options: {
  tx: Tx
  ticket: Ticket
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
    due_at: new Date(dueAfter(known(complaintKinds, ticket.kind), at.getTime())),
    reopened_count: ticket.reopened_count + 1,
  } as const
  await takeStep(tx, ticket, { event: { at, step: 'reopened', by, text }, changes })
}

/** Does it to each; of one ticket alone the refusal is the answer. */
async function each(ids: readonly number[], work: (id: number) => Promise<void>) {
  const done: number[] = []
  const refused: { id: number; promot: string }[] = []
  for (const id of new Set(ids)) {
    try {
      await work(id)
      done.push(id)
    } catch (error) {
      if (!(error instanceof AppError) || ids.length === 1) throw error
      refused.push({ id, promot: error.message })
    }
  }
  return { suc: true as const, data: { done, refused } }
}

async function searchOf(
  { kit, riders }: ComplaintParts,
  { scope, caller }: SessionCall,
  filter: ComplaintFilter,
): Promise<ComplaintSearch> {
  const { phone, number } = filter
  return {
    scope,
    filter,
    riderIds: phone === undefined ? undefined : await riders.idsByPhone(scope, phone),
    id: number === undefined ? undefined : idOfNumber(number),
    operatorId: caller.operatorId,
    now: new Date(kit.clock.now()),
  }
}

async function readPage(
  parts: ComplaintParts,
  options: { search: ComplaintSearch; sort: ComplaintSort; after: ComplaintCursor | null; limit: number },
): Promise<{ list: Complaint[]; nextCursor: string | null }> {
  const { search, sort, after, limit } = options
  // One more than is shown: whether there is a next page.
  const asked = { ...search, sort, after, limit: limit + 1 }
  const rows = await parts.kit.db.read(search.scope, (k) => selectComplaints(asked).compile(k))
  const found = rows.slice(0, limit)
  const last = rows.length > limit ? found.at(-1) : undefined
  const { number } = search.filter
  const list = found.map((row) => shown(parts, row)).filter((row) => number === undefined || row.number === number)
  if (last === undefined) return { list, nextCursor: null }
  const at = (sort === 'due' ? last.due_at : last.opened_at).getTime()
  return { list, nextCursor: writeCursor({ isDone: last.is_done, at, id: last.id }) }
}

const shown = ({ kit, riders }: ComplaintParts, row: Parameters<typeof complaintOf>[0]): Complaint =>
  complaintOf(row, { riders, nowMs: kit.clock.now() })

async function readOne(parts: ComplaintParts, { scope }: SessionCall, id: number) {
  const [row] = await parts.kit.db.read(scope, (k) => selectComplaint({ id, scope }).compile(k))
  if (row === undefined) throw new AppError('not_found')
  return { suc: true as const, data: shown(parts, row) }
}

/** By the order, else by the vehicle and the rider who are named. */
async function subjectOf(
  { riders }: ComplaintParts,
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
  { audit }: ComplaintParts,
  tx: Tx,
  call: SessionCall,
  note: {
    ticket: { id: number; agent_id: number; area_id: number | null }
    action: ComplaintAct | 'open'
    after: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const { ticket, action, after } = note
  await audit.write(tx, {
    agentId: ticket.agent_id,
    areaId: ticket.area_id,
    operatorId: call.caller.operatorId,
    action: `complaint.${action}`,
    subjectKind: 'complaint',
    subjectId: ticket.id,
    after,
    address: call.address,
    requestId: call.requestId,
  })
}
