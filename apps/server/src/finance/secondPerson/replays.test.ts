import { expect, it } from 'vitest'
import { everyCall } from '@saddle/contract/endpoints.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

let tenants: readonly [TenantFixture, TenantFixture] | undefined
const server = await testPlatform({
  env: { SERVICES: 'api' },
  seed: async (kit) => {
    tenants = await seedTenants(kit)
  },
})
if (tenants === undefined) throw new Error('the seed did not run')
const [of, other] = tenants
const { owner } = server
const stateOf = async (id: number): Promise<string | undefined> =>
  (await owner.selectFrom('money_action').select('state').where('id', '=', id).executeTakeFirst())?.state

it('confirms nothing with the token of a confirmation that was seen, nor of another company', async () => {
  const manager = await server.login(of.manager)
  const [first, second] = of.money.actIds
  const token = { jti: 'a'.repeat(32) }
  expect((await manager.call(everyCall.confirmMoneyAct, { id: first }, { token })).status).toBe(200)
  expect(await stateOf(first)).toBe('confirmed')
  // The same token again, for the same act and for another one, each with a new key.
  for (const id of [first, second]) {
    const again = await manager.call(everyCall.confirmMoneyAct, { id }, { token, idempotencyKey: `key-${id}` })
    expect(again.status).toBe(401)
  }
  expect(await stateOf(second)).toBe('waiting')
  const foreign = await server.login(other.manager)
  const refused = await foreign.call(everyCall.confirmMoneyAct, { id: second })
  expect([403, 404]).toContain(refused.status)
  expect(await stateOf(second)).toBe('waiting')
})

it('answers a request that was held with the same refusal when it is sent again, also after the decision', async () => {
  const manager = await server.login(of.manager)
  const { riderId } = of
  const charge = { riderId, account: 'gift', direction: 'credit', cents: 200_000, reason: '补偿' } as const
  const ask = () => manager.call(everyCall.platformCharge, charge, { idempotencyKey: 'held-once' })
  const asked = async () =>
    await owner
      .selectFrom('money_action')
      .select(['id', 'state'])
      .where('act', '=', 'charge')
      .where('cents', '=', charge.cents)
      .execute()
  const first = await ask()
  expect(first).toMatchObject({ status: 409, body: { error: { code: 'money_held' } } })
  const [held] = await asked()
  expect((await manager.call(everyCall.rejectMoneyAct, { id: held!.id, note: '重复' })).status).toBe(200)
  expect((await ask()).body).toEqual(first.body)
  expect(await asked()).toEqual([{ id: held!.id, state: 'withdrawn' }])
})
