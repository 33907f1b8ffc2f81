import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { webhookEventNames, webhookEvents, webhookMessageSchema } from '@saddle/contract/partners/webhookEvents.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '@saddle/contract/time.ts'
import { retryMs } from '#kit/retry.ts'
import { postSigned, RefusedError } from '#kit/webhook.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { leaseMs } from './send.ts'
import { receiver, signedBy, webhookWorld } from './webhooks.fixture.ts'

const world = await webhookWorld()
const { owner, kit, partners, handlers, of, call, create, shown, log, setState, clear } = world
const { heard, state, url } = await receiver()

beforeEach(async () => {
  kit.clock.set(TEST_START_MS)
  heard.length = 0
  state.answer = (response) => response.writeHead(200).end('thanks')
  await clear()
  await setState(0, 'available')
  await setState(1, 'available')
})

/** Something of each kind of event, as the platform writes it. */
async function everythingHappens(): Promise<void> {
  const { agentId, vehicleIds, areaIds, orderIds } = of(0)
  const [vehicleId] = vehicleIds
  const [areaId] = areaIds
  const where = sql`${agentId}, ${areaId}, ${vehicleId}`
  await sql`
    with o as (
      insert into ride_order (agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, changed_at)
      select ${where}, 'SD000001', rider_id, 'reserved', '2026-11-21T04:00:00Z', '2026-11-21T04:00:00Z' from ride_order
      where id = ${orderIds[0]} returning id)
    select id from o`.execute(owner)
  const newest = sql`(select max(id) from ride_order where agent_id = ${agentId})`
  await sql`update ride_order set state = 'riding', started_at = '2026-11-21T04:01:00Z', start_lat = 31, start_lng = 120
    where id = ${newest}`.execute(owner)
  await sql`update ride_order set state = 'returning', ended_at = '2026-11-21T04:11:00Z', distance_m = 1500.5
    where id = ${newest}`.execute(owner)
  await sql`insert into order_refund (order_id, agent_id, area_id, cents, reason, operator_name, refunded_at)
    select ${orderIds[0]}, ${agentId}, area_id, 5, 'r', 'o', now() from ride_order where id = ${orderIds[0]}`.execute(
    owner,
  )
  await sql`insert into vehicle_alarm (agent_id, area_id, vehicle_id, kind, opened_at, last_at)
    values (${where}, 'power_cut', now(), now())`.execute(owner)
  await sql`update vehicle_alarm set closed_at = now() where agent_id = ${agentId} and kind = 'power_cut'`.execute(
    owner,
  )
  await sql`insert into vehicle_command
      (agent_id, area_id, vehicle_id, kind, state, reason, operator_id, operator_name, queued_at, expires_at)
    values (${where}, 'ring', 'queued', '', 1, 'o', now(), now())`.execute(owner)
  await sql`insert into task (agent_id, area_id, vehicle_id, kind, state, source, opened_at)
    values (${where}, 'inspect', 'open', 'manual', now())`.execute(owner)
  await setState(0, 'elsewhere')
  await sql`insert into split_statement (agent_id, first_day, last_day, company, area_names, bills, lines, paid_cents, fee_cents,
      borne_cents, parties_cents, owner_cents, corrections_cents, sealed_at, hash)
    values (${agentId}, '2020-01-01', '2020-01-31', 'c', '{}', 1, 1, 100, 1, 0, 9, 90, 0, now(), sha256('x'))`.execute(
    owner,
  )
}

describe('events', () => {
  it('each is told in the form of the contract, signed, and nothing about riders', async () => {
    const { id, secret } = await create(url, [...webhookEventNames])
    await everythingHappens()
    await partners.send()
    expect([...new Set(heard.map(({ event }) => event))].toSorted()).toEqual([...webhookEventNames].toSorted())
    for (const message of heard) {
      const event = message.event as keyof typeof webhookEvents
      const fit = webhookMessageSchema(webhookEvents[event].data.strict()).safeParse(JSON.parse(message.text))
      expect([event, fit.error?.issues ?? []]).toEqual([event, []])
      expect(message.delivery).toBe(message.id)
      expect([event, signedBy(secret, message), signedBy('another', message)]).toEqual([event, true, false])
      expect(message.text).not.toMatch(/rider|phone/i)
    }
    const newOrder = heard.find(({ event, data }) => event === 'order' && data['state'] === 'reserved')?.subject
    const told = heard.filter(({ subject }) => subject === newOrder)
    expect(told.map(({ event, data }) => `${event} ${String(data['state'])}`).toSorted()).toEqual([
      'order reserved',
      'order returning',
      'order riding',
      'ride returning',
      'ride riding',
    ])
    expect(told.map(({ id: one }) => Number(one))).toEqual(
      told.map(({ id: one }) => Number(one)).toSorted((a, b) => a - b),
    )
    expect(await shown(id)).toMatchObject({ waiting: 0, failed: 0, failingSince: null, lastSentAt: kit.clock.now() })
  })

  it('are of the chosen kinds and of the own company only, and go with their cause', async () => {
    await create(url, ['task'])
    await setState(0, 'elsewhere')
    await sql`update vehicle set state = 'elsewhere' where agent_id = ${of(1).agentId}`.execute(owner)
    const rolledBack = owner.transaction().execute(async (tx) => {
      await sql`insert into task (agent_id, area_id, vehicle_id, kind, state, source, opened_at)
        values (${of(0).agentId}, ${of(0).areaIds[1]}, ${of(0).vehicleIds[1]}, 'inspect', 'open', 'manual', now())`.execute(
        tx,
      )
      throw new Error('the cause did not happen')
    })
    await expect(rolledBack).rejects.toThrow('the cause')
    expect(await partners.send()).toBe(0)
    expect(heard).toEqual([])
  })
})

describe('a receiver that', () => {
  const states = ['elsewhere', 'non_operational', 'available'] as const
  const statesHeard = () => heard.map(({ data }) => data['state'])

  it('is down for an hour gets everything afterwards, in order per thing', async () => {
    const { id } = await create('http://127.0.0.1:9/hook', ['vehicle'])
    for (const one of states) await setState(0, one)
    for (let passed = 0; passed < hourMs; passed += minuteMs) {
      await partners.send()
      kit.clock.advance(minuteMs)
    }
    await setState(1, 'elsewhere')
    expect(await shown(id)).toMatchObject({ waiting: 4, failingSince: TEST_START_MS, state: 'on' })
    expect((await log()).find((row) => row.webhookId === id && row.attempts > 0)).toMatchObject({
      answerStatus: null,
      fault: 'ECONNREFUSED',
    })
    const { version = 0 } = (await shown(id)) ?? {}
    await handlers.changeWebhook({ id, version, name: '订单同步', url, events: ['vehicle'] }, call())
    kit.clock.advance(hourMs)
    await partners.send()
    expect(
      heard.filter(({ subject }) => subject === `vehicle ${of(0).vehicleIds[0]}`).map(({ data }) => data['state']),
    ).toEqual([...states])
    expect(heard).toHaveLength(4)
    expect(await shown(id)).toMatchObject({ waiting: 0, sent: 4, failingSince: null })
  })

  it('answers 500, or too late, is told again with longer pauses and then of what waits behind', async () => {
    const { id } = await create(url, ['vehicle'])
    const tried = async () => (await log()).filter((row) => row.webhookId === id && row.attempts > 0)
    state.answer = (response) => response.writeHead(500).end('out of order')
    for (const one of states) await setState(0, one)
    expect(await partners.send()).toBe(1)
    expect(await tried()).toMatchObject([{ state: 'queued', attempts: 1, answerStatus: 500, answer: 'out of order' }])
    expect(await partners.send()).toBe(0)
    kit.clock.advance(10 * secondMs)
    // It takes the message, and answers too late.
    state.answer = () => {}
    expect(await partners.send()).toBe(1)
    expect(await tried()).toMatchObject([{ attempts: 2, answerStatus: null, fault: 'timeout' }])
    kit.clock.advance(10 * secondMs)
    expect(await partners.send()).toBe(0)
    kit.clock.advance(20 * secondMs)
    state.answer = (response) => response.writeHead(200).end()
    await partners.send()
    expect(statesHeard()).toEqual(['elsewhere', 'elsewhere', ...states])
    expect(new Set(heard.slice(0, 3).map(({ delivery }) => delivery)).size).toBe(1)
  })

  it('refuses one thing for a day does not hold up the others', async () => {
    const { id } = await create(url, ['vehicle'])
    const bad = `vehicle ${of(0).vehicleIds[0]}`
    state.answer = (response, { subject }) => response.writeHead(subject === bad ? 422 : 200).end()
    for (let hour = 0; hour <= retryMs / hourMs + 1; hour += 1) {
      if (hour === 0) await setState(0, 'elsewhere')
      await setState(1, hour % 2 === 0 ? 'elsewhere' : 'available')
      for (let again = 0; again < 4; again += 1) {
        await partners.send()
        kit.clock.advance(15 * minuteMs)
      }
    }
    expect(heard.filter(({ subject }) => subject !== bad)).toHaveLength(retryMs / hourMs + 2)
    expect(await shown(id)).toMatchObject({ state: 'on', waiting: 0 })
    expect((await log()).filter((row) => row.state === 'failed' && row.webhookId === id)).toMatchObject([
      { answerStatus: 422 },
    ])
  })

  it('stays away for a day is paused and its people are told; what waits comes when it is resumed', async () => {
    const { id } = await create('http://127.0.0.1:9/hook', ['vehicle'])
    await setState(0, 'elsewhere')
    for (let passed = 0; passed <= retryMs + hourMs; passed += 30 * minuteMs) {
      await partners.send()
      kit.clock.advance(30 * minuteMs)
    }
    const paused = await shown(id)
    expect(paused).toMatchObject({ state: 'paused', isPausedForFailure: true })
    const notices = await owner.selectFrom('notice').select(['agent_id', 'event', 'path']).execute()
    expect(notices).toEqual([{ agent_id: of(0).agentId, event: 'webhook_paused', path: '/agent/open-interfaces' }])
    await setState(0, 'available')
    expect(await partners.send()).toBe(0)
    const version = paused?.version ?? 0
    await handlers.changeWebhook({ id, version, name: '订单同步', url, events: ['vehicle'] }, call())
    await handlers.setWebhookState({ id, version: version + 1, state: 'on' }, call())
    await partners.send()
    expect(statesHeard()).toEqual(['available'])
    // The one whose day was over is sent when somebody asks for it, under its old id.
    const failed = (await log()).find((row) => row.state === 'failed' && row.webhookId === id)
    await handlers.replayWebhookDeliveries({ ids: [failed?.id ?? 0] }, call())
    await partners.send()
    expect(heard.at(-1)).toMatchObject({ delivery: String(failed?.id), data: { state: 'elsewhere' } })
  })

  it('had its message from a server that was killed gets it once more', async () => {
    await create(url, ['vehicle'])
    await setState(0, 'elsewhere')
    await sql`update webhook set lease_until = ${new Date(kit.clock.now() + leaseMs)} where state = 'on'`.execute(owner)
    expect(await partners.send()).toBe(0)
    kit.clock.advance(leaseMs)
    expect(await partners.send()).toBe(1)
  })
})

describe('people', () => {
  it('send a test message and replace the key, while both keys sign', async () => {
    const { id, secret } = await create(url, ['statement'])
    await handlers.testWebhook({ id }, call())
    await partners.send()
    const rotated = (await handlers.rotateWebhookSecret({ id, version: 1 }, call())).data.secret
    await handlers.testWebhook({ id }, call())
    await partners.send()
    kit.clock.advance(dayMs)
    await handlers.testWebhook({ id }, call())
    await partners.send()
    expect(heard.map(({ event }) => event)).toEqual(['test', 'test', 'test'])
    expect(heard.map((message) => [signedBy(secret, message), signedBy(rotated, message)])).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ])
    const { rows } = await sql<{ text: string }>`select w::text as text from webhook w`.execute(owner)
    expect(rows.some(({ text }) => text.includes(secret) || text.includes(rotated))).toBe(false)
  })

  it("reach no other company's webhooks, and no address of a private network", async () => {
    const { id } = await create(url, ['vehicle'])
    const chosen = { name: 'x', url: 'https://example.com/', events: ['task' as const] }
    await setState(0, 'elsewhere')
    await partners.send()
    const [sent] = await log()
    for (const refused of [
      () => handlers.changeWebhook({ id, version: 1, ...chosen }, call(1)),
      () => handlers.rotateWebhookSecret({ id, version: 1 }, call(1)),
      () => handlers.setWebhookState({ id, version: 1, state: 'paused' }, call(1)),
      () => handlers.testWebhook({ id }, call(1)),
      () => handlers.removeWebhook({ id }, call(1)),
      () => handlers.replayWebhookDeliveries({ ids: [sent?.id ?? 0] }, call(1)),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'not_found' })
    const ask = { url, secrets: ['k'], delivery: '1', text: '{}', nowMs: 0 }
    const closed = { ...ask, isLocalAllowed: false }
    for (const address of [
      'https://127.0.0.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/',
      'http://a.example/',
    ])
      await expect(postSigned({ ...closed, url: address })).rejects.toBeInstanceOf(RefusedError)
    // A name that leads inside, wholly or in part, now or when it is asked for again.
    for (const addresses of [['10.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['fd00::1'], ['::ffff:127.0.0.1']])
      await expect(
        postSigned({ ...closed, url: 'https://partner.example/', addressesOf: async () => addresses }),
      ).rejects.toBeInstanceOf(RefusedError)
    let asked = 0
    const answer = await postSigned({
      ...ask,
      url: url.replace('127.0.0.1', 'partner.example'),
      isLocalAllowed: true,
      addressesOf: async () => {
        asked += 1
        return ['127.0.0.1']
      },
    })
    expect([answer.status, asked]).toEqual([200, 1])
  })
})
