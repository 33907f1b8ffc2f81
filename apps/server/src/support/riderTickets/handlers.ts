import type { OwnTicket, riderTicketEndpoints } from '@saddle/contract/support/riderTickets.ts'
import { ticketKinds, ticketWordsPerDayMax } from '@saddle/contract/support/tickets.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { AppCall, Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { codeOf } from '#kit/codes.ts'
import { readSetting } from '#settings/public.ts'
import type { TicketParts } from '../tickets/parts.ts'
import { ticketOf, eventOf } from '../tickets/present.ts'
import { checkAct, dueAfter, finalBefore } from '../tickets/rules.ts'
import { selectTicket, selectEvents } from '../tickets/store.ts'
import { orderSubject, riderSubject, scopeOfAgents, vehicleSubject, type Subject } from '../tickets/subject.ts'
import { lockTicket, openTicket, takeStep, type LockedTicket } from '../tickets/ticket.ts'
import { keepStepPhotos } from '../ticketPhotos.ts'

const ownMax = 20

const ticketRow = rowOf('ticket', ['id'])

/** Tickets for rider apps: the rider's own, with the messages of both sides. */
export function createRiderTicketHandlers(parts: TicketParts): Handlers<typeof riderTicketEndpoints> {
  const { kit, riders } = parts
  const step = async (
    call: AppCall,
    { phone, id }: { phone: string; id: number },
    run: (tx: Tx, ticket: LockedTicket) => Promise<void>,
  ) => {
    const data = await kit.db.system(async (tx) => {
      const scope = await scopeOfAgents(tx, call.app.agentIds)
      const ticket = await lockTicket(tx, { id, scope })
      if (ticket.phone_hash === null || !riders.hasPhone({ phone_hash: ticket.phone_hash }, phone)) {
        throw new AppError('not_found')
      }
      await run(tx, ticket)
      return readOwn(parts, tx, id)
    })
    return { suc: true as const, data }
  }
  return {
    riderOpenTicket: async ({ phone, kind, text, photos: files, requestId = null, ...named }, call) => {
      const data = await kit.db.system(async (tx) => {
        const subject = await subjectOf(parts, tx, call, { phone, ...named })
        const known = await findRequest(tx, { agentId: subject.agentId, riderId: subject.riderId, requestId })
        if (known !== undefined) return readOwn(parts, tx, known)
        const nowMs = kit.clock.now()
        await checkRate(tx, { agentId: subject.agentId, riderId: subject.riderId, since: new Date(nowMs - dayMs) })
        const id = await openTicket(parts, tx, { subject, kind, text, files, requestId, by: null, nowMs })
        if (id === null) throw new AppError('request_in_progress')
        return readOwn(parts, tx, id)
      })
      return { suc: true, data }
    },

    riderTickets: async ({ phone }, call) => {
      const list = await kit.db.system(async (tx) => {
        const scope = await scopeOfAgents(tx, call.app.agentIds)
        const riderIds = await riders.idsByPhone(scope, phone)
        const { rows } = await ticketRow.select`
          from ticket where rider_id = any (${riderIds}::bigint[])
          order by opened_at desc, id desc limit ${ownMax}`.execute(tx)
        const own: OwnTicket[] = []
        for (const { id } of rows) own.push(await readOwn(parts, tx, id))
        return own
      })
      return { suc: true, data: { list } }
    },

    riderSay: ({ text, photos: files, ...asked }, call) =>
      step(call, asked, async (tx, ticket) => {
        const nowMs = kit.clock.now()
        const at = new Date(nowMs)
        checkAct(ticket.stateNow, 'say')
        await checkWords(tx, { id: ticket.id, since: new Date(nowMs - dayMs) })
        const isAnswered = ticket.stateNow === 'resolved'
        if (isAnswered) {
          const reopenDays = await readSetting(tx, 'ticket_reopen_days', { agentId: ticket.agent_id })
          if ((ticket.resolved_at?.getTime() ?? 0) < finalBefore(nowMs, reopenDays))
            throw new AppError('ticket_step_refused')
        }
        const photoIds = await keepStepPhotos(parts, tx, { kind: 'ticket', ticket, files })
        await takeStep(tx, ticket, { event: { at, step: 'said', by: null, fromRider: true, text, photoIds } })
        if (!isAnswered) return
        const changes = {
          state: 'in_work',
          due_at: new Date(dueAfter(codeOf(ticketKinds, ticket.kind), nowMs)),
          reopened_count: ticket.reopened_count + 1,
        } as const
        await takeStep(tx, ticket, { event: { at, step: 'reopened', by: null, fromRider: true }, changes })
      }),

    riderConfirm: ({ rating, ...asked }, call) =>
      step(call, asked, async (tx, ticket) => {
        checkAct(ticket.stateNow, 'confirm')
        if (ticket.stateNow === 'closed' && ticket.rating === rating) return
        const at = new Date(kit.clock.now())
        const event = { at, step: 'closed', by: null, fromRider: true } as const
        await takeStep(tx, ticket, { event, changes: { state: 'closed', rating } })
      }),
  }
}

const riderAppRow = rowOf('rider_app', ['agent_id'])

/**
 * By the rider's own order, otherwise the vehicle; a rider new to the company is added. Throws not_found for an order
 * of another rider.
 */
async function subjectOf(
  { riders }: TicketParts,
  tx: Tx,
  { app }: AppCall,
  named: { phone: string; orderId?: number | undefined; vehicleNumber?: string | undefined },
): Promise<Subject> {
  const { phone, orderId, vehicleNumber } = named
  const scope = await scopeOfAgents(tx, app.agentIds)
  if (orderId !== undefined) {
    const subject = await orderSubject(tx, { orderId, scope })
    const own = await riders.idsByPhone({ ...scope, agentIds: [subject.agentId] }, phone)
    if (subject.riderId === null || !own.includes(subject.riderId)) throw new AppError('not_found')
    return subject
  }
  if (vehicleNumber !== undefined) {
    const subject = await vehicleSubject(tx, { number: vehicleNumber, scope })
    const [riderId = null] = await riders.ensure(tx, [{ agentId: subject.agentId, phone, name: null }])
    return { ...subject, riderId }
  }
  const known = await riderSubject(tx, { riderIds: await riders.idsByPhone(scope, phone), scope })
  if (known !== null) return known
  const { rows } = await riderAppRow.select`from rider_app where id = ${app.id}`.execute(tx)
  const agentId = rows[0]?.agent_id
  if (agentId === undefined) throw new AppError('not_found')
  const [riderId = null] = await riders.ensure(tx, [{ agentId, phone, name: null }])
  return { agentId, areaId: null, riderId, orderId: null, vehicle: null }
}

async function findRequest(
  tx: Tx,
  { agentId, riderId, requestId }: { agentId: number; riderId: number | null; requestId: string | null },
): Promise<number | undefined> {
  if (requestId === null) return undefined
  const { rows } =
    await ticketRow.select`from ticket where agent_id = ${agentId} and rider_id = ${riderId} and request_id = ${requestId}`.execute(
      tx,
    )
  return rows[0]?.id
}

async function checkRate(
  tx: Tx,
  { agentId, riderId, since }: { agentId: number; riderId: number | null; since: Date },
): Promise<void> {
  const most = await readSetting(tx, 'tickets_per_day', { agentId })
  const { rows } = await countRow.select`from ticket where rider_id = ${riderId} and opened_at > ${since}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= most) throw new AppError('too_many_requests')
}

/** Limit of steps: the history of a ticket is read as a whole. */
async function checkWords(tx: Tx, { id, since }: { id: number; since: Date }): Promise<void> {
  const { rows } =
    await countRow.select`from ticket_event where ticket_id = ${id} and step = 'said' and at > ${since}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= ticketWordsPerDayMax) throw new AppError('too_many_requests')
}

/** Messages of both sides; internal notes are not shown to the rider. */
const told: ReadonlySet<string> = new Set(['said', 'replied', 'found'])

const ticketRow2 = rowOf('ticket', ['agent_id', 'area_id'])

async function readOwn({ riders, kit }: TicketParts, tx: Tx, id: number): Promise<OwnTicket> {
  const { rows: found } = await ticketRow2.select`from ticket where id = ${id}`.execute(tx)
  const [place] = found
  if (place === undefined) throw new AppError('not_found')
  const scope = scopeOfAgent(place.agent_id, place.area_id === null ? [] : [place.area_id])
  const [row] = (await selectTicket({ id, scope }).execute(tx)).rows
  if (row === undefined) throw new AppError('not_found')
  const events = (await selectEvents({ id, scope }).execute(tx)).rows.map(eventOf)
  const { number, kind, state, text, openedAt, dueAt, finding, rating } = ticketOf(row, {
    riders,
    nowMs: kit.clock.now(),
  })
  const words = events
    .filter((event) => told.has(event.step))
    .map((event) => ({ at: event.at, fromRider: event.fromRider, text: event.text }))
  return { id, number, kind, state, text, openedAt, dueAt, finding, rating, words }
}
