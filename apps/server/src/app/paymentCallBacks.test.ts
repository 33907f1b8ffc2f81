import fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { createFinance } from '#finance/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { asAppError } from './refusal.ts'
import { registerPaymentCallBacks } from './paymentCallBacks.ts'

const { db, owner } = await testDatabase()
await owner.insertInto('agent').values({ id: 2, parent_id: null, company: 'A' }).execute()
const finance = createFinance(testKit(db, { DEMO: 'true' }))
const http = fastify()
http.setErrorHandler((error, _request, reply) => reply.code(asAppError(error).status).send())
registerPaymentCallBacks({ http, finance })
await http.ready()
afterAll(() => http.close())

const balance = () => finance.ledger.balanceOf({ agentId: 2, account: { kind: 'rider_balance', ownerId: 9 } })

it('lets the sandbox pay in demo mode, from this machine only', async () => {
  const order = {
    agentId: 2,
    riderId: 9,
    purpose: 'recharge',
    channel: 'sandbox',
    cents: 500,
    description: '充值',
  } as const
  const { number } = await finance.payments.start(order)
  const far = await http.inject({ method: 'POST', url: `/pay/sandbox/${number}`, remoteAddress: '192.0.2.1' })
  expect(far.statusCode).not.toBe(204)
  expect(await balance()).toBe(0)
  const near = await http.inject({ method: 'POST', url: `/pay/sandbox/${number}`, remoteAddress: '127.0.0.1' })
  expect(near.statusCode).toBe(204)
  expect(await balance()).toBe(500)
})

it('has no order that nobody made', async () => {
  for (const number of ['nothing', '0', '%00', '%20', 'x'.repeat(90)]) {
    const answer = await http.inject({ method: 'POST', url: `/pay/sandbox/${number}`, remoteAddress: '127.0.0.1' })
    expect(answer.statusCode, number).toBe(404)
  }
})

it('hears of payments over HTTP, late, many times, in another order and from a sandbox that was started anew', async () => {
  const listening = await http.listen({ port: 0, host: '127.0.0.1' })
  finance.takesCallBacksAt(listening)
  const mood = { delayMs: 5, copies: 20, holdBack: 2 }
  const put = { method: 'PUT', url: '/pay/sandbox', payload: JSON.stringify(mood), remoteAddress: '127.0.0.1' } as const
  expect((await http.inject({ ...put, remoteAddress: '192.0.2.1' })).statusCode).not.toBe(204)
  expect((await http.inject({ ...put, payload: '{"copies":0}' })).statusCode).not.toBe(204)
  expect((await http.inject(put)).statusCode).toBe(204)
  const before = await balance()
  const order = { agentId: 2, riderId: 9, purpose: 'recharge', cents: 700, description: '充值' } as const
  const numbers = [(await finance.payments.start(order)).number, (await finance.payments.start(order)).number]
  // Another server of the platform: it knows of these orders what is in the database.
  const other = createFinance(testKit(db, { DEMO: 'true' }))
  other.takesCallBacksAt(listening)
  other.sandbox?.setMood(mood)
  for (let time = 0; time < 15; time += 1) {
    const { sandbox } = time % 2 === 0 ? finance : other
    await Promise.all(numbers.map(async (number) => sandbox?.pay(number)))
  }
  expect(await balance()).toBe(before + 1_400)
})

it('answers a call-back that nobody signed with a failure, whatever its type, and takes no large one', async () => {
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/xml']) {
    const request = {
      method: 'POST',
      url: '/pay/callback/sandbox',
      payload: '{"a":',
      headers: { 'content-type': type },
    } as const
    const answer = await http.inject(request)
    expect([answer.statusCode, answer.body], type).toEqual([500, 'failure'])
  }
  const bare = await http.inject({ method: 'POST', url: '/pay/callback/sandbox' })
  expect(bare.statusCode).toBe(500)
  const large = { method: 'POST', url: '/pay/callback/sandbox', payload: 'x'.repeat(70_000) } as const
  expect((await http.inject(large)).statusCode).toBe(413)
})

it('has no sandbox outside of demo mode', () => {
  expect(createFinance(testKit(db)).sandbox).toBeNull()
})
