import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { defaultAgentId } from '@saddle/contract/constants.ts'
import { feedbackPerDayMax } from '@saddle/contract/support/feedback.ts'
import { permissionCodes } from '@saddle/contract/permissions.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import type { SessionCall } from '#kit/call.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { createPhotos } from '#photos/public.ts'
import { createFeedback } from '#support/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const [alpha, bravo] = await seedTenants(kit)
const feedback = createFeedback(kit, { audit: createAudit(kit), photos: createPhotos(kit) })
const { handlers } = feedback
const photo = samples.jpeg.toString('base64')

const everything = new Set<string>(permissionCodes)
const callOf = (
  of: TenantFixture,
  permissions: ReadonlySet<string> = everything,
  operatorId = of.managerId,
): SessionCall => {
  const grant = { agentIds: [of.agentId], areaIds: [...of.areaIds] }
  const call = sessionCall({ operatorId, agentId: of.agentId, name: '林一', grant, scope: grant })
  return { ...call, caller: { ...call.caller, permissions } }
}
const asker = callOf(alpha)
const foreign = callOf(bravo)
const { rows: roots } = await sql<{ id: number }>`
  select o.id from operator o join role_permission p on p.role_id = o.role_id and p.code = '1801'
  where o.agent_id = ${defaultAgentId} order by o.id`.execute(owner)
const rootId = roots[0]?.id ?? 0
const everywhere = {
  agentIds: [defaultAgentId, alpha.agentId, bravo.agentId],
  areaIds: [...alpha.areaIds, ...bravo.areaIds],
}
const platform: SessionCall = (() => {
  const grant = everywhere
  const call = sessionCall({ operatorId: rootId, agentId: defaultAgentId, name: '平台甲', grant, scope: grant })
  return { ...call, caller: { ...call.caller, permissions: everything } }
})()

const wish = {
  kind: 'wish',
  priority: 'normal',
  title: '地图加图层',
  text: '希望能看到停车点',
  photos: [] as string[],
} as const
const open = async (changes: object = {}, call = asker) =>
  (await handlers.openFeedback({ ...wish, subject: undefined, ticketId: undefined, ...changes }, call)).data
const read = async (id: number, call = asker) => (await handlers.feedback({ id }, call)).data
const say = (id: number, act: 'say' | 'reply' | 'ask' | 'note', call: SessionCall, photos: string[] = []) =>
  handlers.sayInFeedback({ id, act, text: `${act}!`, photos }, call)
const change = (id: number, act: 'start' | 'resolve' | 'close' | 'reopen', call: SessionCall) => {
  kit.clock.advance(1)
  return handlers.changeFeedback({ id, act, text: '' }, call)
}
const told = async (id: number) => {
  const { rows } = await sql<{ event: string; path: string; operator_ids: number[] }>`
    select event, path, operator_ids from notice where subject = ${`feedback ${id}`} order by id`.execute(owner)
  return rows.map(({ event, operator_ids: ids }) => `${event.slice('feedback_'.length)} ${ids.join(' ')}`)
}
const list = async (filter: object, call = asker) =>
  (await handlers.listFeedback({ filter, sort: 'due', pageSize: 50 }, call)).data.list.map(({ id }) => id)

describe('a feedback ticket', () => {
  it('is asked, answered, paused, resolved, reopened and rated; each side is told of the other', async () => {
    expect(rootId).toBeGreaterThan(0)
    const { id, dueAt, number } = await open({ photos: [photo] })
    await say(id, 'note', platform)
    await handlers.assignFeedback({ id, assigneeId: rootId }, platform)
    kit.clock.advance(hourMs)
    await say(id, 'ask', platform)
    expect((await read(id)).ticket).toMatchObject({ state: 'waiting', overdue: false, assigneeId: rootId })
    kit.clock.advance(5 * dayMs)
    // Time stands still, however long the author takes.
    expect(await list({ overdue: true })).not.toContain(id)
    const { id: late } = await open()
    const inOrder = await list({})
    expect(inOrder.indexOf(id), 'what waits for its author comes after what is due').toBeGreaterThan(
      inOrder.indexOf(late),
    )
    await feedback.sweep()
    await say(id, 'say', asker, [photo])
    expect((await read(id)).ticket).toMatchObject({ state: 'in_work', dueAt: dueAt + 5 * dayMs, overdue: false })
    await change(id, 'resolve', platform)
    await change(id, 'reopen', asker)
    expect((await read(id)).ticket).toMatchObject({
      state: 'in_work',
      reopenedCount: 1,
      dueAt: kit.clock.now() + dayMs,
    })
    await say(id, 'reply', platform)
    await change(id, 'resolve', platform)
    await handlers.rateFeedback({ id, rating: 4, text: '可以' }, asker)

    const asked = await read(id)
    expect(asked.ticket).toMatchObject({ state: 'closed', rating: 4 })
    expect(asked.ratingText).toBe('可以')
    const steps = ['assigned', 'asked', 'said', 'resolved', 'reopened', 'replied', 'resolved', 'rated']
    expect(asked.events.map(({ step }) => step)).toEqual(['opened', ...steps])
    const answering = await read(id, platform)
    expect(answering.events.map(({ step }) => step)).toEqual(['opened', 'noted', ...steps])
    const author = alpha.managerId
    expect(await told(id)).toEqual([
      `opened ${roots.map((one) => one.id).join(' ')}`,
      `asked ${author}`,
      `said ${rootId}`,
      `resolved ${author}`,
      `said ${rootId}`,
      `answered ${author}`,
      `resolved ${author}`,
    ])
    expect(await list({ number })).toEqual([id])
    const noted = answering.events.find(({ step }) => step === 'noted')
    await expect(handlers.feedbackPhotos({ id, eventId: noted?.id }, asker)).rejects.toMatchObject({
      code: 'not_found',
    })
    const said = asked.events.find(({ step }) => step === 'said')
    expect((await handlers.feedbackPhotos({ id, eventId: said?.id }, asker)).data.list).toHaveLength(1)
    expect((await handlers.feedbackPhotos({ id, eventId: undefined }, platform)).data.list).toHaveLength(1)
  })

  it('that is late is told of once, to whoever works on it, and after a new priority once more', async () => {
    const { id } = await open({ priority: 'urgent' })
    await change(id, 'start', platform)
    kit.clock.advance(4 * hourMs + 1)
    expect((await read(id)).ticket.overdue).toBe(true)
    expect(await list({ overdue: true })).toContain(id)
    await feedback.sweep()
    await feedback.sweep()
    const overdue = async () => (await told(id)).filter((text) => text.startsWith('overdue'))
    expect(await overdue()).toEqual([`overdue ${rootId}`])
    const { data } = await handlers.prioritiseFeedback({ id, priority: 'low' }, platform)
    expect(data.previous).toBe('urgent')
    expect((await read(id)).ticket.overdue).toBe(false)
    kit.clock.advance(3 * dayMs)
    await feedback.sweep()
    expect(await overdue()).toHaveLength(2)
  })

  it('that is given to somebody tells them, and closing it tells its author', async () => {
    const { id } = await open()
    const colleague = { ...platform, caller: { ...platform.caller, operatorId: rootId + 1, name: '平台乙' } }
    await handlers.assignFeedback({ id, assigneeId: rootId }, colleague)
    await change(id, 'close', platform)
    expect((await told(id)).slice(1)).toEqual([`assigned ${rootId}`, `closed ${alpha.managerId}`])
  })

  it('that was resolved closes after seven days and is reopened for thirty more', async () => {
    const { id } = await open()
    await change(id, 'resolve', platform)
    kit.clock.advance(7 * dayMs + 1)
    await feedback.sweep()
    expect((await read(id)).ticket.state).toBe('closed')
    expect((await told(id)).slice(-2)).toEqual([`resolved ${alpha.managerId}`, `closed ${alpha.managerId}`])
    kit.clock.advance(30 * dayMs + 1)
    await expect(change(id, 'reopen', asker)).rejects.toMatchObject({ code: 'ticket_step_refused' })
  })

  it('is about a thing that its author may open, and follows that to its company and area', async () => {
    const subject = { kind: 'order', id: alpha.orderIds[1] } as const
    const { id } = await open({ subject })
    const { ticket, subject: shown } = await read(id)
    expect(ticket).toMatchObject({ agentId: alpha.agentId })
    expect(shown).toMatchObject(subject)
    const { data } = await handlers.feedbackSubjects({ kind: 'order', word: shown?.number ?? '' }, asker)
    expect(data.list).toEqual([shown])
    const areaOnly = { ...asker, scope: { ...asker.scope, areaIds: [alpha.areaIds[0]] } }
    expect(await list({}, areaOnly)).not.toContain(id)
    const noOrders = callOf(alpha, new Set(['1801', '1802']))
    expect((await read(id, noOrders)).subject).toBeNull()
    await expect(open({ subject }, noOrders)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(handlers.feedbackSubjects({ kind: 'order', word: '1' }, noOrders)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(open({ subject }, foreign)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is made of a rider’s ticket once', async () => {
    const ticketId = alpha.ticketIds[0]
    await expect(open({ ticketId })).rejects.toMatchObject({ code: 'feedback_made' })
    await expect(open({ ticketId }, foreign)).rejects.toMatchObject({ code: 'not_found' })
    await expect(open({ ticketId }, callOf(alpha, new Set(['1802'])))).rejects.toMatchObject({ code: 'forbidden' })
    expect((await read(alpha.feedbackIds[0])).riderTicket).toMatchObject({ id: ticketId })
  })

  it('is seen by its company and the platform, and by a person who may only open tickets if it is theirs', async () => {
    const { id } = await open()
    await expect(read(id, foreign)).rejects.toMatchObject({ code: 'not_found' })
    await expect(say(id, 'say', foreign)).rejects.toMatchObject({ code: 'not_found' })
    const opener = callOf(alpha, new Set(['1802']), alpha.workerId)
    await expect(read(id, opener)).rejects.toMatchObject({ code: 'not_found' })
    const own = await open({}, opener)
    expect(await list({}, opener)).toEqual([own.id])
    await expect(say(id, 'reply', asker)).rejects.toMatchObject({ code: 'ticket_step_refused' })
    await expect(say(id, 'say', platform)).rejects.toMatchObject({ code: 'ticket_step_refused' })
    await expect(handlers.assignFeedback({ id, assigneeId: alpha.workerId }, platform)).rejects.toMatchObject({
      code: 'ticket_person_unfit',
    })
    expect((await handlers.feedbackWorkers({}, asker)).data.list).toEqual([])
    expect((await handlers.feedbackWorkers({}, platform)).data.list.map((one) => one.id)).toContain(rootId)
  })

  it('is opened so often a day and no more', async () => {
    kit.clock.advance(2 * dayMs)
    const opener = callOf(bravo, new Set(['1802']), bravo.workerId)
    for (let count = 0; count < feedbackPerDayMax; count += 1) await open({}, opener)
    await expect(open({}, opener)).rejects.toMatchObject({ code: 'feedback_too_many' })
  })
})
