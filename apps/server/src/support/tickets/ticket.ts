import { ticketStates, type TicketKind, type TicketState } from '@saddle/contract/support/tickets.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { codeOf } from '#kit/codes.ts'
import { tell } from '#notices/public.ts'
import { keepTicketPhotos } from '../ticketPhotos.ts'
import type { TicketParts } from './parts.ts'
import { dueAfter } from './rules.ts'
import {
  changeTicket,
  insertTicket,
  insertEvent,
  lockTicketRow,
  type Changes,
  type TicketRow,
  type NewEvent,
} from './store.ts'
import type { Subject } from './subject.ts'

export type By = { readonly operatorId: number; readonly name: string }

export const byOf = ({ caller }: SessionCall): By => ({ operatorId: caller.operatorId, name: caller.name })

/** A locked ticket, with its state typed by the contract. */
export type LockedTicket = TicketRow & { readonly stateNow: TicketState }

/** The ticket of the scope, locked until the end of the transaction. Throws not_found. */
export async function lockTicket(tx: Tx, options: { id: number; scope: SessionCall['scope'] }): Promise<LockedTicket> {
  const row = await lockTicketRow(tx, options)
  if (row === undefined) throw new AppError('not_found')
  return { ...row, stateNow: codeOf(ticketStates, row.state) }
}

/** Changes a locked ticket and writes the step into its history. */
export async function takeStep(
  tx: Tx,
  ticket: Pick<TicketRow, 'id' | 'agent_id' | 'area_id'>,
  { event, changes = {} }: { event: NewEvent; changes?: Changes },
): Promise<void> {
  const { id, agent_id: agentId, area_id: areaId } = ticket
  await changeTicket(tx, id, { ...changes, at: event.at })
  await insertEvent(tx, { id, agentId, areaId }, event)
}

/** Creates a ticket with its photos and first step; null when this request has created one already. */
export async function openTicket(
  parts: Pick<TicketParts, 'photos' | 'reportFault'>,
  tx: Tx,
  ticket: {
    readonly subject: Subject
    readonly kind: TicketKind
    readonly text: string
    readonly files: readonly string[]
    readonly requestId: string | null
    readonly by: By | null
    readonly nowMs: number
  },
): Promise<number | null> {
  const { subject, kind, text, by, nowMs } = ticket
  const { agentId, areaId } = subject
  const at = new Date(nowMs)
  const photoIds = await keepTicketPhotos(parts, tx, { kind: 'ticket', agentId, areaId, files: ticket.files })
  const id = await insertTicket(tx, {
    ...subject,
    kind,
    source: by === null ? 'rider' : 'staff',
    text,
    photoIds,
    requestId: ticket.requestId,
    openedAt: at,
    dueAt: new Date(dueAfter(kind, nowMs)),
  })
  if (id === null) return null
  await tell(tx, {
    event: 'ticket_opened',
    agentId,
    ...(areaId !== null && { areaId }),
    subject: `ticket ${id}`,
    values: { number: String(id), ticket: kind },
    path: `/user-worksheet-detail?ticket=${id}`,
    at,
  })
  await insertEvent(tx, { id, agentId, areaId }, { at, step: 'opened', by, fromRider: by === null })
  if (kind === 'fault' && subject.vehicle !== null) {
    await parts.reportFault(tx, { vehicleId: subject.vehicle.id, note: text.slice(0, 200), at: nowMs })
  }
  return id
}
