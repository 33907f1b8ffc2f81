import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ticketWordsPerDayMax } from '@saddle/contract/support/tickets.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import type { AppCall, SessionCall } from '#kit/call.ts'
import { reportFault } from '#operations/public.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { createPhotos } from '#photos/public.ts'
import { createRiders } from '#rider/public.ts'
import { createTickets } from '#support/public.ts'
import { testDatabase } from '#test/database.ts'
import { toldOf } from '#test/toldOf.ts'
import { publicCall, sessionCall, testKit } from '#test/kit.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const [alpha, bravo] = await seedTenants(kit)
const tickets = createTickets(kit, {
  audit: createAudit(kit),
  photos: createPhotos(kit),
  reportFault,
  riders: createRiders(kit),
})
const { handlers } = tickets

const photo = samples.jpeg.toString('base64')
const callOf = (of: TenantFixture, areas: readonly number[] = of.areaIds): SessionCall => {
  const grant = { agentIds: [of.agentId], areaIds: [...of.areaIds] }
  return sessionCall({
    operatorId: of.managerId,
    agentId: of.agentId,
    name: '林一',
    grant,
    scope: { ...grant, areaIds: areas },
  })
}
const call = callOf(alpha)
const foreign = callOf(bravo)
const app: AppCall = { ...publicCall(), app: { id: 0, agentIds: [alpha.agentId] } }
const foreignApp: AppCall = { ...publicCall(), app: { id: 0, agentIds: [bravo.agentId] } }
const phone = alpha.riderPhone
const [orderId] = alpha.orderIds
let requests = 0
const complain = async (changes: object = {}) => {
  const asked = { phone, kind: 'charge' as const, text: '多收了两元', orderId, photos: [], requestId: undefined }
  requests += 1
  return (await handlers.riderOpenTicket({ ...asked, requestId: `request-${requests}`, ...changes }, app)).data
}
const list = async (filter: object, by = call) =>
  (await handlers.listTickets({ filter, sort: 'due', pageSize: 50 }, by)).data
const read = async (id: number, by = call) => (await handlers.ticket({ id }, by)).data
const tasks = async (vehicleId: number) =>
  await sql<{ source: string }>`
    select source from task where vehicle_id = ${vehicleId} and kind = 'repair' and done_at is null`.execute(owner)

describe('a ticket of a rider', () => {
  it('is answered, taken up again, answered once more and rated; the history tells each word', async () => {
    const opened = await complain({ photos: [photo] })
    expect(opened).toMatchObject({ state: 'open', kind: 'charge', words: [] })
    const { id } = opened
    await handlers.assignTickets({ ids: [id], assigneeId: alpha.workerId }, call)
    await handlers.replyToTicket({ id, text: '正在核实', internal: false, photos: [photo] }, call)
    await handlers.replyToTicket({ id, text: '像是停车费', internal: true, photos: [] }, call)
    const found = { id, finding: 'unjustified', reply: '按规则收费', note: '' } as const
    expect((await handlers.resolveTicket(found, call)).data).toMatchObject({ state: 'resolved' })

    kit.clock.advance(hourMs)
    const again = await handlers.riderSay({ phone, id, text: '不同意', photos: [] }, app)
    expect(again.data).toMatchObject({ state: 'in_work', dueAt: kit.clock.now() + dayMs })
    await handlers.resolveTicket({ ...found, finding: 'justified', reply: '已退款' }, call)
    const done = await handlers.riderConfirm({ phone, id, rating: 4 }, app)
    expect(done.data.words.map(({ text }) => text)).toEqual(['正在核实', '按规则收费', '不同意', '已退款'])

    const { ticket, events, order } = await read(id)
    expect(ticket).toMatchObject({
      state: 'closed',
      rating: 4,
      reopenedCount: 1,
      assigneeId: alpha.workerId,
      photoCount: 1,
    })
    expect(ticket.riderPhone).toBe(`${phone.slice(0, 3)}****${phone.slice(7)}`)
    expect(order).toMatchObject({ id: orderId, chargedCents: 900 })
    expect(events.map(({ step }) => step)).toEqual([
      'opened',
      'assigned',
      'replied',
      'noted',
      'found',
      'said',
      'reopened',
      'found',
      'closed',
    ])
    const reply = events.find(({ step }) => step === 'replied')
    const photos = async (asked: { id: number; eventId?: number }) =>
      (await handlers.ticketPhotos(asked, call)).data.list
    expect(await photos({ id })).toHaveLength(1)
    expect((await photos({ id, eventId: reply?.id ?? 0 }))[0]).toMatchObject({ kind: 'jpeg', base64: photo })
    await expect(handlers.replyToTicket({ id, text: '晚了', internal: false, photos: [] }, call)).rejects.toThrow(
      '当前状态',
    )
  })

  it('is opened once, however often the application asks', async () => {
    const first = await complain({ requestId: 'the-same-one' })
    expect(await complain({ requestId: 'the-same-one' })).toEqual(first)
  })

  it('of a broken vehicle makes one task to repair it', async () => {
    const [, vehicleId] = alpha.vehicleIds
    await sql`update task set state = 'done', done_at = now() where vehicle_id = ${vehicleId} and kind = 'repair'`.execute(
      owner,
    )
    const fault = { kind: 'fault', text: '刹车失灵', orderId: undefined, vehicleNumber: `${alpha.marker}1` }
    await complain(fault)
    await complain(fault)
    expect((await tasks(vehicleId)).rows).toEqual([{ source: 'rider' }])
  })

  it('is nobody else’s: not of another rider, nor of an application of another company', async () => {
    const { id } = await complain()
    const missing = { code: 'not_found' }
    const words = { text: '我的', photos: [] }
    await expect(handlers.riderSay({ phone: bravo.riderPhone, id, ...words }, app)).rejects.toMatchObject(missing)
    await expect(handlers.riderSay({ phone, id, ...words }, foreignApp)).rejects.toMatchObject(missing)
    await expect(complain({ orderId: bravo.orderIds[0] })).rejects.toMatchObject(missing)
    await expect(complain({ phone: '13812340000' })).rejects.toMatchObject(missing)
    expect((await handlers.riderTickets({ phone }, foreignApp)).data.list).toEqual([])
  })

  it('takes so many words in a day, so that its newest stay in sight', async () => {
    const { id } = await complain()
    const say = (text: string) => handlers.riderSay({ phone, id, text, photos: [] }, app)
    for (let index = 0; index < ticketWordsPerDayMax; index += 1) await say(`第 ${index} 句`)
    await expect(say('再说一句')).rejects.toMatchObject({ code: 'too_many_requests' })
    kit.clock.advance(dayMs + 1)
    expect((await say('第二天')).data.words.at(-1)?.text).toBe('第二天')
  })

  it('is refused after ten in a day', async () => {
    const newcomer = { phone: '13812345678', orderId: undefined, vehicleNumber: alpha.vehicleNumber }
    for (let index = 0; index < 10; index += 1) await complain(newcomer)
    await expect(complain(newcomer)).rejects.toMatchObject({ code: 'too_many_requests' })
    kit.clock.advance(dayMs + 1)
    await complain(newcomer)
  })
})

describe('those who answer', () => {
  it('see what is late first, by state and by who looks after it, in their own areas', async () => {
    const late = await complain({ kind: 'return', text: '很急', requestId: 'late-ticket' })
    kit.clock.advance(13 * hourMs)
    const fresh = await complain({ text: '不急', requestId: 'fresh-ticket' })
    const { list: all, count } = await list({ states: ['open', 'in_work'] })
    const { data: counters } = await handlers.ticketCounters({}, call)
    expect(count).toBe(all.length)
    const places = all.map(({ id }) => id)
    expect(places.indexOf(late.id)).toBeLessThan(places.indexOf(fresh.id))
    expect(all.find(({ id }) => id === late.id)?.overdue).toBe(true)
    expect((await list({ overdue: true })).list.map(({ id }) => id)).not.toContain(fresh.id)
    expect(counters.overdue).toBe((await list({ overdue: true })).count)

    await handlers.transitionTickets({ ids: [late.id], act: 'start', note: '' }, call)
    expect((await list({ who: 'mine' })).list.map(({ id }) => id)).toContain(late.id)
    expect((await list({ phone })).list.map(({ id }) => id)).toContain(fresh.id)
    expect((await list({ number: late.number })).list.map(({ id }) => id)).toEqual([late.id])
    expect((await list({}, callOf(alpha, [alpha.areaIds[1]]))).list.map(({ id }) => id)).not.toContain(late.id)
  })

  it('go through all of it page by page without meeting one twice', async () => {
    for (const sort of ['due', 'opened'] as const) {
      const met: number[] = []
      let cursor: string | undefined
      do {
        const asked = { filter: {}, sort, pageSize: 3, ...(cursor !== undefined && { cursor }) }
        const { data } = await handlers.listTickets(asked, call)
        met.push(...data.list.map(({ id }) => id))
        cursor = data.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(new Set(met).size).toBe(met.length)
      expect(met).toHaveLength((await list({})).count ?? 0)
    }
  })

  it('register one for a rider, hand it to somebody who may have it, and take many steps at once', async () => {
    const asked = { kind: 'deposit' as const, text: '来电：押金未退', phone, photos: [] }
    const { data } = await handlers.openTicket(asked, call)
    expect(data).toMatchObject({ source: 'staff', areaId: alpha.areaIds[1], orderId: null })
    const second = await complain()
    const ids = [data.id, second.id]
    // Nobody of another company, and nobody of the company above either: that is beyond the caller's scope.
    const above = await sql<{ id: number }>`select id from operator where agent_id = 2`.execute(owner)
    for (const assigneeId of [bravo.workerId, above.rows[0]?.id ?? 0]) {
      const unfit = handlers.assignTickets({ ids: [data.id], assigneeId }, call)
      await expect(unfit, String(assigneeId)).rejects.toMatchObject({ code: 'ticket_person_unfit' })
    }
    expect(await toldOf(owner, `ticket ${data.id}`)).toEqual(['ticket_opened'])
    const assign = async (assigneeId: number | null, by: SessionCall) =>
      expect((await handlers.assignTickets({ ids: [data.id], assigneeId }, by)).data.done).toEqual([data.id])
    await assign(alpha.managerId, { ...call, caller: { ...call.caller, operatorId: alpha.workerId } })
    // Who takes it themselves is not told of it.
    await assign(null, call)
    await assign(alpha.managerId, call)
    expect(await toldOf(owner, `ticket ${data.id}`)).toEqual(['ticket_opened', 'ticket_assigned'])
    const { data: people } = await handlers.ticketWorkers({}, call)
    expect(people.list.map(({ id }) => id)).toEqual(expect.arrayContaining([alpha.managerId, alpha.workerId]))
    expect((await handlers.transitionTickets({ ids, act: 'close', note: '已电话说明' }, call)).data.done).toEqual(ids)
    const { refused, done } = (
      await handlers.transitionTickets({ ids: [...ids, 999_999], act: 'reopen', note: '' }, call)
    ).data
    expect([done, refused.map(({ id }) => id)]).toEqual([ids, [999_999]])
    await expect(handlers.openTicket({ ...asked, phone: '13800000001' }, call)).rejects.toThrow('没有找到')
  })

  it('find one about a rider alone at the desk of the area where they rode last, else at every desk of the company', async () => {
    const other = callOf(alpha, [alpha.areaIds[0]])
    const seen = async (id: number) => (await list({}, other)).list.some((ticket) => ticket.id === id)
    const rode = await complain({ kind: 'deposit', text: '押金没退', orderId: undefined })
    expect((await read(rode.id)).ticket.areaId).toBe(alpha.areaIds[1])
    expect(await seen(rode.id)).toBe(false)
    const asked = { kind: 'other' as const, text: '没骑过，问押金', phone: '13812345679', photos: [] }
    await db.system((tx) => createRiders(kit).ensure(tx, [{ agentId: alpha.agentId, phone: asked.phone, name: null }]))
    const never = (await handlers.openTicket(asked, other)).data
    expect(never.areaId).toBeNull()
    expect(await seen(never.id)).toBe(true)
    expect((await list({}, foreign)).list.map(({ id }) => id)).not.toContain(never.id)
  })

  it('of another company see and change none of it', async () => {
    const { id } = await complain()
    const missing = { code: 'not_found' }
    await expect(read(id, foreign)).rejects.toMatchObject(missing)
    await expect(handlers.ticketPhotos({ id }, foreign)).rejects.toMatchObject(missing)
    await expect(handlers.transitionTickets({ ids: [id], act: 'close', note: '' }, foreign)).rejects.toMatchObject(
      missing,
    )
    const { phone: _, ...byOrder } = { phone, kind: 'other' as const, text: '越界', orderId, photos: [] }
    await expect(handlers.openTicket(byOrder, foreign)).rejects.toMatchObject(missing)
    expect((await read(id)).ticket.state).toBe('open')
  })

  it('take a file with them that says what the list says', async () => {
    const { data } = await handlers.exportTickets({ filter: { kinds: ['charge'] }, sort: 'opened' }, call)
    expect(data.text).toContain('工单编号,类型,状态')
    expect(data.rows).toBe((await list({ kinds: ['charge'] })).count)
    expect(data.text).not.toContain(phone)
  })
})

it('closes by itself when nobody takes the answer up again', async () => {
  const { id } = await complain()
  await handlers.resolveTicket({ id, finding: 'partly', reply: '已调整', note: '内部' }, call)
  kit.clock.advance(7 * dayMs - 1)
  await tickets.sweep()
  expect((await read(id)).ticket.state).toBe('resolved')
  kit.clock.advance(2)
  await expect(handlers.riderSay({ phone, id, text: '等等', photos: [] }, app)).rejects.toThrow('当前状态')
  expect(await tickets.sweep()).toBeGreaterThan(0)
  expect((await read(id)).events.at(-1)).toMatchObject({ step: 'closed', authorName: null, fromRider: false })
})

it('closes as early as its company has chosen', async () => {
  const { id } = await complain()
  await handlers.resolveTicket({ id, finding: 'partly', reply: '已调整', note: '' }, call)
  const choose = (value: number | null) =>
    sql`insert into setting_change (agent_id, code, value, made_at, made_by)
      values (${alpha.agentId}, 'ticket_reopen_days', ${value === null ? null : JSON.stringify(value)}::jsonb,
        ${new Date(kit.clock.now())}, '林一')`.execute(owner)
  await choose(2)
  kit.clock.advance(2 * dayMs + 1)
  await expect(handlers.riderSay({ phone, id, text: '等等', photos: [] }, app)).rejects.toThrow('当前状态')
  await tickets.sweep()
  expect((await read(id)).ticket.state).toBe('closed')
  await choose(null)
})

it('is told as part of a rider’s life', async () => {
  const { id } = await complain({ text: '最后一单' })
  const { riderId } = (await read(id)).ticket
  const asked = { riderId: riderId ?? 0, agentId: alpha.agentId, before: kit.clock.now() + 1, limit: 1 }
  const [event] = await tickets.riderEvents(call.scope, asked)
  expect(event).toMatchObject({ kind: 'ticket', code: 'open', text: '最后一单', aboutId: id })
  expect(await tickets.riderEvents(foreign.scope, asked)).toEqual([])
})
