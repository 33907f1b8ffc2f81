import { hourMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'

/** A ticket of each order with a word of its rider, and one to the platform of each; returns their ids. */
export async function addTickets(options: {
  tx: Tx
  agentId: number
  areaIds: readonly [number, number]
  orderIds: readonly [number, number]
  managerId: number
  marker: string
  at: Date
}): Promise<{ ticketIds: [number, number]; feedbackIds: [number, number] }> {
  const { tx, agentId, areaIds, orderIds, managerId, marker, at } = options
  const ids: number[] = []
  for (const [index, areaId] of areaIds.entries()) {
    const own = { agent_id: agentId, area_id: areaId }
    const { rider_id, vehicle_id, vehicle_number } = await tx
      .selectFrom('ride_order')
      .select(['rider_id', 'vehicle_id', 'vehicle_number'])
      .where('id', '=', orderIds[index] ?? 0)
      .executeTakeFirstOrThrow()
    const { id } = await tx
      .insertInto('ticket')
      .values({
        ...own,
        kind: 'charge',
        source: 'rider',
        rider_id,
        order_id: orderIds[index] ?? 0,
        vehicle_id,
        vehicle_number,
        text: `${marker} complains`,
        opened_at: at,
        due_at: at,
        changed_at: at,
        assignee_id: managerId,
        assignee_name: `${marker} manager`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('ticket_event')
      .values({ ...own, ticket_id: id, at, step: 'said', from_rider: true, text: `${marker} says` })
      .execute()
    ids.push(id)
  }
  const [first = 0, second = 0] = ids
  const ticketIds: [number, number] = [first, second]
  return { ticketIds, feedbackIds: await addFeedback({ ...options, ticketIds }) }
}

/** A ticket to the platform of each rider's ticket, with an answer and a note; returns their ids. */
async function addFeedback(options: {
  tx: Tx
  agentId: number
  areaIds: readonly [number, number]
  orderIds: readonly [number, number]
  ticketIds: readonly [number, number]
  managerId: number
  marker: string
  at: Date
}): Promise<[number, number]> {
  const { tx, agentId, areaIds, orderIds, ticketIds, managerId, marker, at } = options
  const ids: number[] = []
  for (const [index, areaId] of areaIds.entries()) {
    const own = { agent_id: agentId, area_id: areaId }
    const { id } = await tx
      .insertInto('feedback_ticket')
      .values({
        ...own,
        author_id: managerId,
        author_name: `${marker} manager`,
        kind: 'question',
        priority: 'normal',
        state: 'in_work',
        title: `${marker} asks`,
        text: `${marker} asks the platform`,
        order_id: orderIds[index] ?? 0,
        ticket_id: ticketIds[index] ?? 0,
        opened_at: at,
        due_at: new Date(at.getTime() + index * hourMs),
        changed_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const step of ['replied', 'noted'] as const)
      await tx
        .insertInto('feedback_event')
        .values({ ...own, feedback_id: id, at, step, from_platform: true, text: `${marker} ${step}` })
        .execute()
    ids.push(id)
  }
  const [first = 0, second = 0] = ids
  return [first, second]
}
