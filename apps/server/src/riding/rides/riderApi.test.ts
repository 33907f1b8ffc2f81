import { expect, it } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { rideEndpoints, type Ride } from '@saddle/contract/riding/rides.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const tenants: TenantFixture[] = []
const server = await testPlatform({
  env: { SERVICES: 'api', DEMO: 'true' },
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const { platform, owner } = server
const [alpha, bravo] = tenants as [TenantFixture, TenantFixture]
await owner.updateTable('vehicle_status').set({ heard_at: new Date(), locked: true }).execute()
const keyOf = (agentId: number, name: string) =>
  server.db.system((tx) => platform.domains.riding.addApp(tx, { agentId, name }))
const key = await keyOf(alpha.agentId, 'the app')
const phone = '13812340000'
const vehicleNumber = alpha.vehicleNumber

type Name = keyof typeof rideEndpoints
type Answer = { status: number; body: { suc: boolean; data: Ride; error?: { code: string; promot: string } } }

async function ask(name: Name, input: object, headers: Record<string, string> = { 'x-api-key': key }): Promise<Answer> {
  const { method, path } = rideEndpoints[name]
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : ''
  const response = await fetch(`${server.address}${path}${query}`, {
    method,
    headers: { ...headers, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** The vehicle's answer to its pending command. */
async function obey(vehicleId: number): Promise<void> {
  const command = await platform.domains.fleet.commands.claim(vehicleId)
  if (command === null) throw new Error('there is no command')
  const at = Date.now()
  const silent = { batteryPercent: 80, voltageV: null, charging: null, signal: null, odometerM: null, alarms: [] }
  const told = { position: { lat: 31.05, lng: 120.05, speedKmh: 0, headingDeg: 0 }, locked: command.kind === 'lock' }
  await server.db.system(async (tx) => {
    const locked = await platform.domains.fleet.reports.lock(tx, [vehicleId])
    const report = { vehicleId, ...silent, ...told, commanded: true, receivedAt: at, occurredAt: at }
    await platform.domains.fleet.reports.apply(tx, locked, [report])
  })
  await platform.domains.fleet.commands.move({ ...command, to: 'confirmed' })
  await platform.domains.riding.sweep()
}

it('tells refusals in the language that is asked for', async () => {
  for (const [input, name] of [
    [{ phone, orderId: 'x' }, 'readRide'],
    [{ phone, orderId: 987_654_321 }, 'readRide'],
    [{ vehicleNumber: '' }, 'quoteRide'],
    [{ phone, vehicleNumber: 'NONE' }, 'unlockRide'],
  ] as const) {
    const { body } = await ask(name, input, { 'x-api-key': key, 'accept-language': 'en-GB,zh;q=0.5' })
    expect(body.error?.promot).toMatch(/^[\p{ASCII}’“”–]+$/u)
    const chinese = await ask(name, input, { 'x-api-key': key, 'accept-language': 'zh-CN' })
    expect(chinese.body.error?.promot).toMatch(/\p{Script=Han}/u)
    expect(chinese.body.error?.code).toBe(body.error?.code)
  }
})

it('refuses a field that no call has, instead of leaving it out', async () => {
  const { status, body } = await ask('unlockRide', { phone, vehicleNumber, vehicleNo: 'SD1' })
  expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'unknown_field' })
  expect(body.error?.promot).toContain('vehicleNo')
})

it('knows an application by its key alone, and each by its own franchisee’s vehicles and rides', async () => {
  const asked = { phone, vehicleNumber }
  expect(await ask('quoteRide', { vehicleNumber }, {})).toMatchObject({
    status: 401,
    body: { error: { code: 'unauthorized' } },
  })
  expect((await ask('quoteRide', { vehicleNumber }, { 'x-api-key': `${key}x` })).status).toBe(401)
  const { status, body } = await ask('quoteRide', { vehicleNumber })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ areaName: `${alpha.marker} area 1` })

  const theirs = { 'x-api-key': await keyOf(bravo.agentId, 'another app') }
  const first = alpha.orderIds[0]
  expect(await ask('quoteRide', { vehicleNumber }, theirs)).toMatchObject({
    status: 404,
    body: { error: { code: 'vehicle_not_found' } },
  })
  expect((await ask('reserveRide', asked, theirs)).status).toBe(404)
  const ride = { phone: alpha.riderPhone, orderId: first }
  expect((await ask('readRide', ride)).body.data.orderId).toBe(first)
  for (const name of ['readRide', 'cancelRide', 'pauseRide', 'resumeRide', 'endRide', 'payRide'] as const) {
    expect((await ask(name, ride, theirs)).status, name).toBe(404)
    expect((await ask(name, { ...ride, phone }, { 'x-api-key': key })).status, `${name} of another rider`).toBe(404)
  }
  expect((await ask('disputeRide', { ...ride, claim: 'x' }, theirs)).status).toBe(404)
  expect((await ask('ownRides', { phone: alpha.riderPhone }, theirs)).body.data).toEqual([])
  // The platform's own application reaches all franchisees below it; a disabled one reaches none.
  const root = { 'x-api-key': await keyOf(2, 'the platform’s app') }
  expect((await ask('readRide', ride, root)).status).toBe(200)
  await owner.updateTable('rider_app').set({ state: 'disabled' }).where('name', '=', 'the platform’s app').execute()
  expect((await ask('readRide', ride, root)).status).toBe(401)
  // An operator cannot log in with its session.
  const manager = await server.login(alpha.manager)
  const sealed = await manager.call(endpoints.readRide, ride)
  expect(sealed.status).toBe(401)
})

it('takes and answers plain JSON, and refuses what has another form', async () => {
  for (const [input, name] of [
    [{ phone, vehicleNumber: '' }, 'reserveRide'],
    [{ phone: '1', vehicleNumber }, 'unlockRide'],
    [{ phone, orderId: 'x' }, 'endRide'],
    [{ phone, orderId: 1.5 }, 'payRide'],
    [{ phone, orderId: 1, claim: '' }, 'disputeRide'],
  ] as const) {
    const { status, body } = await ask(name, input)
    expect([status, body.suc, body.error?.code], name).toEqual([400, false, 'bad_request'])
  }
})

it('takes a ride from its unlocking to its payment, each call as often as it comes', async () => {
  const asked = { phone, vehicleNumber }
  const reserved = await Promise.all(Array.from({ length: 5 }, () => ask('reserveRide', asked)))
  const ok = reserved.filter(({ status }) => status === 200)
  expect(new Set(ok.map(({ body }) => body.data.orderId)).size).toBe(1)
  for (const { status, body } of reserved) expect([200, 409], body.error?.code).toContain(status)
  const unlocked = await Promise.all(Array.from({ length: 5 }, () => ask('unlockRide', asked)))
  const { orderId } = ok[0]!.body.data
  expect(unlocked.map(({ body }) => body.data.orderId)).toEqual(Array.from({ length: 5 }, () => orderId))
  await obey(alpha.vehicleIds[0])
  const ride = { phone, orderId }
  expect((await ask('readRide', ride)).body.data.state).toBe('riding')
  expect((await ask('cancelRide', ride)).body.error?.code).toBe('ride_step_refused')
  // After the free minute.
  await owner
    .updateTable('ride_order')
    .set({ started_at: new Date(Date.now() - 120_000) })
    .where('id', '=', orderId)
    .execute()
  const ended = await Promise.all(Array.from({ length: 5 }, () => ask('endRide', ride)))
  for (const { status, body } of ended) expect([status, body.data.state]).toEqual([200, 'returning'])
  await obey(alpha.vehicleIds[0])
  const paying = await Promise.all(Array.from({ length: 5 }, () => ask('payRide', ride)))
  const numbers = paying.map(({ body }) => (body.data as Ride & { payment: { number: string } }).payment.number)
  expect(paying.map(({ body }) => body.data.state)).toEqual(Array.from({ length: 5 }, () => 'due'))
  for (const number of new Set(numbers)) {
    expect((await fetch(`${server.address}/pay/sandbox/${number}`, { method: 'POST' })).status).toBe(204)
  }
  const { body } = await ask('payRide', ride)
  expect(body.data).toMatchObject({ state: 'paid', payment: null })
  const entries = await owner
    .selectFrom('ledger_entry')
    .select('kind')
    .where('reference', '=', `order:${orderId}`)
    .execute()
  expect(entries).toEqual([{ kind: 'ride_charge' }])
})

it('is described with the header that names the key', async () => {
  const document = (await (await fetch(`${server.address}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security?: unknown; 'x-sealed': boolean; parameters?: { in: string }[] }>>
    components: { securitySchemes: Record<string, unknown> }
  }
  expect(document.components.securitySchemes['appKey']).toEqual({ type: 'apiKey', in: 'header', name: 'X-Api-Key' })
  const page = await (await fetch(`${server.address}/docs`)).text()
  for (const [name, { method, path }] of Object.entries(rideEndpoints)) {
    const row = document.paths[path]?.[method.toLowerCase()]
    expect(row, name).toMatchObject({ security: [{ appKey: [] }], 'x-sealed': false })
    expect(page).toContain(`id="${name}"`)
    expect(row, name).toMatchObject({ tags: ['rider'] })
    if (method === 'GET')
      expect(
        row?.parameters?.map((one) => one.in),
        name,
      ).toContain('query')
  }
})

it('holds those who guess keys to a few tries a minute, and not the application beside them', async () => {
  const guesses: number[] = []
  for (let guess = 0; guess < 130; guess += 1) {
    guesses.push(
      (await ask('quoteRide', { vehicleNumber }, { 'x-api-key': `a-guess-of-a-key-number-${guess}` })).status,
    )
  }
  expect(guesses[0]).toBe(401)
  expect(guesses.at(-1)).toBe(429)
  expect((await ask('quoteRide', { vehicleNumber })).status).toBe(200)
})
