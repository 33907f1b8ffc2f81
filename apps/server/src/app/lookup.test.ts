import { expect, it } from 'vitest'
import { lookupEndpoints, type Hit } from '@saddle/contract/lookup/lookup.ts'
import type { TestClient } from '#test/client.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const tenants: TenantFixture[] = []
const server = await testPlatform({
  env: { SERVICES: 'api' },
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const [alpha, bravo] = tenants
if (alpha === undefined || bravo === undefined) throw new Error('the seed made no tenants')
const manager = await server.login(alpha.manager)
const bare = await server.login(alpha.bare)

async function hitsOf(client: TestClient, text: string): Promise<Hit[]> {
  const { status, body } = await client.call(lookupEndpoints.lookup, { text })
  expect(status).toBe(200)
  return (body as { data: { hits: Hit[] } }).data.hits
}
const kindsOf = (hits: readonly Hit[]) => new Set(hits.map(({ kind }) => kind))

it('finds things of every kind by what names them', async () => {
  const ofVehicle = await hitsOf(manager, alpha.vehicleNumber)
  expect(ofVehicle).toContainEqual(
    expect.objectContaining({ kind: 'vehicle', id: alpha.vehicleIds[0], title: alpha.vehicleNumber }),
  )
  expect([...kindsOf(ofVehicle)]).toEqual(expect.arrayContaining(['vehicle', 'order']))
  expect(kindsOf(await hitsOf(manager, alpha.imei))).toContain('vehicle')
  const ofPhone = await hitsOf(manager, alpha.riderPhone)
  expect(ofPhone).toContainEqual(expect.objectContaining({ kind: 'rider' }))
  expect(ofPhone.every(({ title }) => !title.includes(alpha.riderPhone))).toBe(true)
  const order = ofPhone.find(({ kind }) => kind === 'order')
  expect((await hitsOf(manager, order?.title ?? '')).map(({ kind, id }) => [kind, id])).toEqual([['order', order?.id]])
  expect(kindsOf(await hitsOf(manager, alpha.marker))).toContain('place')
  expect(await hitsOf(manager, '#999999999')).toEqual([])
  expect(await hitsOf(manager, 'nothing has this name')).toEqual([])
})

it('finds nothing of others, and nothing of pages that the caller may not open', async () => {
  for (const text of [bravo.vehicleNumber, bravo.imei, bravo.riderPhone, bravo.marker, bravo.manager]) {
    expect(await hitsOf(manager, text), text).toEqual([])
  }
  for (const text of [alpha.vehicleNumber, alpha.riderPhone, alpha.marker, alpha.manager]) {
    expect(await hitsOf(bare, text), text).toEqual([])
  }
})

it('bounds what one kind finds, and reads what was typed', async () => {
  expect((await hitsOf(manager, alpha.riderPhone)).length).toBeLessThanOrEqual(32)
  expect((await manager.call(lookupEndpoints.lookup, { text: 'x' })).status).toBe(400)
})
