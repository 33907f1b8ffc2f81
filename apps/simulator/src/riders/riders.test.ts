import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rideEndpoints, type Ride as RideAnswer } from '@saddle/contract/riding/rides.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { makeCity } from '#sim/city/city.ts'
import { setLock } from '#sim/device/vehicle-body.ts'
import { createFleet, type Fleet } from '#sim/fleet/fleet.ts'
import { createEventHash } from '#sim/history/eventHash.ts'
import { makeTown } from '#sim/life/town.ts'
import { createRiderApi, type RiderApi, type RiderCall } from './api.ts'
import { createRiders, type Riders } from './riders.ts'

const town = makeTown(makeCity())
/** Friday, half past five in the evening in the city. */
const startMs = Date.UTC(2026, 10, 20, 9, 30)

type Order = {
  id: number
  phone: string
  vehicleNumber: string
  state: RideAnswer['state']
  chargedCents: number | null
}
/** What is asked, and what a platform answers that turns locks; null answers as it should. */
type Mood = (name: RiderCall, order: Order | undefined, asked: number) => string | null

const isOfRides = (name: RiderCall): boolean =>
  (name in rideEndpoints && name !== 'quoteRide') || name === 'riderOpenTicket'

/** A platform in miniature: it knows orders and turns the locks of vehicles at once. */
function makePlatform(mood: Mood, orders: Order[] = []) {
  const asked: RiderCall[] = []
  const platform: { fleet: Fleet | null; nowMs: number } = { fleet: null, nowMs: startMs }
  const lock = ({ vehicleNumber }: Order, shut: boolean): void => {
    const body = platform.fleet?.vehicles.find(({ number }) => number === vehicleNumber)?.body
    if (body && body.locked !== shut) setLock(body, shut, platform.nowMs)
  }
  const busy = new Set(['reserved', 'unlocking', 'riding', 'paused', 'returning'])
  const step: Partial<Record<RiderCall, (order: Order) => void>> = {
    unlockRide: (order) => {
      order.state = 'riding'
      lock(order, false)
    },
    cancelRide: (order) => (order.state = 'cancelled'),
    pauseRide: (order) => {
      order.state = 'paused'
      lock(order, true)
    },
    resumeRide: (order) => {
      order.state = 'riding'
      lock(order, false)
    },
    endRide: (order) => {
      Object.assign(order, { state: 'due', chargedCents: 150 })
      lock(order, true)
    },
  }
  const answer = (name: RiderCall, input: Record<string, unknown>) => {
    asked.push(name)
    const number = input['vehicleNumber']
    let order = orders.find(
      ({ id, phone, state }) => id === input['orderId'] || (phone === input['phone'] && busy.has(state)),
    )
    const code = mood(name, order, asked.filter((one) => one === name).length)
    if (code !== null) return { ok: false as const, code }
    // What marketing asks is not of this platform: its riders are those of marketing.test.ts.
    if (!isOfRides(name)) return { ok: false as const, code: 'unavailable' }
    if (name === 'ownRides') return { ok: true as const, data: orders.filter(({ phone }) => phone === input['phone']) }
    if (order === undefined) {
      order = {
        id: orders.length + 1,
        phone: String(input['phone']),
        vehicleNumber: String(number),
        state: 'reserved',
        chargedCents: null,
      }
      orders.push(order)
    }
    step[name]?.(order)
    return {
      ok: true as const,
      data: { ...order, orderId: order.id, lines: [{ code: 'out_of_place' }], payment: { number: order.id } },
    }
  }
  const api = {
    ask: async (name: RiderCall, input: object) => answer(name, { ...input }),
    // The payment's number is the order's here.
    pay: async (number: number) => {
      const order = orders.find(({ id }) => id === number)
      if (order) order.state = 'paid'
      return { ok: true, data: null }
    },
  } as unknown as RiderApi
  return { api, orders, asked, platform }
}

async function live(mood: Mood, minutes: number, seed = 3) {
  const { api, orders, asked, platform } = makePlatform(mood)
  const hash = createEventHash()
  let riders: Riders | null = null
  const fleet = createFleet({
    seed,
    count: 420,
    startMs,
    faults: 0,
    town,
    isAppControlled: () => true,
    listen: (event) => {
      hash.note(event)
      const wanted = event.kind === 'ride_wanted' ? fleet.vehicles[event.vehicle.index] : undefined
      if (wanted) riders?.want(wanted)
    },
  })
  platform.fleet = fleet
  riders = createRiders({ api, life: fleet.life, seed, startMs })
  const stepMs = 1_000
  for (let passed = stepMs; passed <= minutes * minuteMs; passed += stepMs) {
    platform.nowMs = startMs + passed
    fleet.step(platform.nowMs, stepMs)
    riders.tick(platform.nowMs)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { fleet, orders, asked, counts: riders.counts, digest: hash.digest() }
}

describe('riders with the app', () => {
  it('live the same day for the same seed and the same answers', async () => {
    const once = await live(() => null, 40)
    const again = await live(() => null, 40)
    expect(again.digest).toBe(once.digest)
    expect(again.asked).toEqual(once.asked)
    expect((await live(() => null, 40, 4)).digest).not.toBe(once.digest)
  })

  it('take, ride, pause, give back and pay, each ride of them an order', async () => {
    const { fleet, orders, asked, counts } = await live(() => null, 120, 8)
    expect(counts.started).toBeGreaterThan(60)
    expect(orders.filter(({ state }) => state !== 'cancelled' && state !== 'reserved')).toHaveLength(counts.started)
    expect(counts.reserved).toBeGreaterThan(3)
    expect(counts.paused).toBeGreaterThan(0)
    expect(counts.disputed).toBeGreaterThan(0)
    expect(counts.lockedManually).toBe(0)
    expect(counts.complained).toBeGreaterThan(0)
    expect(asked.filter((name) => name === 'riderOpenTicket')).toHaveLength(counts.complained)
    expect(orders.filter(({ state }) => state === 'paid')).toHaveLength(counts.paid)
    expect(counts.paid).toBeGreaterThan(counts.ended * 0.8)
    expect(new Set(asked)).toContain('cancelRide')
    const ridden = fleet.vehicles.filter(({ life }) => life.ride)
    expect(ridden.every(({ life }) => life.ride?.order !== undefined)).toBe(true)
    for (const { life, body } of fleet.vehicles)
      if (!life.ride) expect(body).toMatchObject({ locked: true, speedKmh: 0 })
    expect(new Set(orders.map(({ phone }) => phone.slice(0, 3)))).toEqual(new Set(['170']))
  })

  it('walk on from where nobody may stop, and leave the vehicle shut where they may', async () => {
    const { fleet, counts, orders } = await live(
      (name, _, n) => (name === 'endRide' && n % 4 === 1 ? 'return_refused' : null),
      60,
    )
    expect(counts.continued).toBeGreaterThan(5)
    expect(counts.refused.get('return_refused')).toBe(counts.continued)
    expect(counts.lockedManually).toBe(0)
    expect(orders.filter(({ state }) => state === 'due' || state === 'paid').length).toBeGreaterThan(30)
    expect(fleet.vehicles.filter(({ life, body }) => !life.ride && !body.locked)).toEqual([])
  })

  it('go without where they are refused, and are not counted as rides', async () => {
    const { fleet, counts, orders } = await live((name) => (name === 'unlockRide' ? 'vehicle_unavailable' : null), 20)
    expect(counts.started).toBe(0)
    expect(counts.refused.get('vehicle_unavailable')).toBeGreaterThan(10)
    expect(orders.every(({ state }) => state === 'reserved' || state === 'cancelled')).toBe(true)
    expect(fleet.life.unmet).toBeGreaterThan(10)
    expect(fleet.vehicles.filter(({ life }) => life.ride)).toEqual([])
  })

  it('pay what they owe and ride then', async () => {
    const owed = new Set<number>()
    const { counts, asked } = await live((name, _, n) => {
      if (name !== 'unlockRide' || n % 5 !== 0 || owed.has(n)) return null
      owed.add(n)
      return 'order_due'
    }, 30)
    expect(counts.refused.get('order_due')).toBe(owed.size)
    expect(asked.filter((name) => name === 'ownRides')).toHaveLength(owed.size)
    expect(counts.started).toBeGreaterThan(15)
  })

  it('end where they paused when the lock does not open again', async () => {
    let stuck = 0
    const { fleet, counts, orders } = await live((name) => {
      if (name !== 'resumeRide') return null
      stuck++
      return 'command_pending'
    }, 75)
    expect(counts.paused).toBeGreaterThan(0)
    expect(stuck).toBe(counts.paused)
    expect(orders.filter(({ state }) => state === 'paused')).toEqual([])
    expect(fleet.vehicles.filter(({ life, body }) => !life.ride && !body.locked)).toEqual([])
  })

  it('wait while nobody answers, then shut the lock by hand: no ride holds up the city', async () => {
    // The platform goes away after ten minutes and stays away.
    let isAway = false
    const { fleet, counts } = await live((name, order) => {
      if (name === 'endRide' && order !== undefined && order.id > 8) isAway = true
      return isAway ? 'away' : null
    }, 60)
    expect(counts.refused.get('away')).toBeGreaterThan(20)
    expect(counts.lockedManually).toBeGreaterThan(2)
    // Whoever keeps a vehicle for hours is still on the way.
    const patienceMs = 10 * minuteMs
    const late = fleet.vehicles.filter(({ life }) => life.ride && life.ride.endMs < fleet.life.nowMs - patienceMs)
    expect(late, 'all came home').toEqual([])
    expect(fleet.vehicles.filter(({ body, life }) => !life.ride && !body.locked)).toEqual([])
  })

  it('goes on with a ride that was told before a stop, and forgets wishes', async () => {
    const { fleet, orders } = await live(() => null, 20)
    const record = JSON.parse(JSON.stringify(fleet.life.record())) as ReturnType<typeof fleet.life.record>
    const riding = record.vehicles.filter(({ ride }) => ride?.order)
    expect(riding.length).toBeGreaterThan(2)
    const { api, asked, platform } = makePlatform(() => null, orders)
    let nowMs = record.nowMs
    const next = createFleet({
      seed: 3,
      count: 420,
      startMs: nowMs,
      faults: 0,
      town,
      from: record,
      isAppControlled: () => true,
    })
    platform.fleet = next
    expect(next.life.vehicles.filter(({ rideRequest }) => rideRequest)).toEqual([])
    const riders = createRiders({ api, life: next.life, seed: 3, startMs: nowMs })
    for (const vehicle of next.vehicles) riders.resume(vehicle)
    expect(riders.active).toBe(riding.length)
    for (let step = 0; step < 60 * 360 && riders.counts.ended < riding.length; step++) {
      nowMs += 1_000
      next.step(nowMs, 1_000)
      riders.tick(nowMs)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(riders.counts).toMatchObject({ requested: 0, ended: riding.length, lockedManually: 0 })
    expect(asked).not.toContain('unlockRide')
  })
})

describe('the calls of the app', () => {
  const cleanUps: (() => void)[] = []
  afterEach(() => {
    for (const clean of cleanUps.splice(0)) clean()
  })

  it('carry the key, read it again when it is not known any more, and take every fault for silence', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'saddle-riders-'))
    const keyFile = join(folder, 'key.json')
    let valid = 'first'
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/pay/') === true) return response.writeHead(404).end()
      const isKnown = request.headers['x-api-key'] === valid
      const isQuery = request.method === 'GET'
      const fault = request.url?.includes('vehicleNumber=fault') === true
      response.writeHead(fault ? 502 : isKnown ? 200 : 401, { 'content-type': 'application/json' })
      response.end(
        fault
          ? 'not json'
          : JSON.stringify(
              isKnown
                ? { suc: true, data: isQuery ? request.url : request.method }
                : { error: { code: 'unauthorized' } },
            ),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanUps.push(
      () => server.close(),
      () => rmSync(folder, { recursive: true, force: true }),
    )
    const { port } = server.address() as AddressInfo
    const api = createRiderApi({ url: `http://127.0.0.1:${port}`, keyFile })
    const ask = (vehicleNumber = 'SD1') => api.ask('quoteRide', { vehicleNumber })
    expect(await ask(), 'no key yet').toEqual({ ok: false, code: 'away' })
    writeFileSync(keyFile, JSON.stringify({ key: 'first' }))
    expect(await ask()).toEqual({ ok: true, data: '/rider/v1/price?vehicleNumber=SD1' })
    valid = 'second'
    expect(await ask()).toEqual({ ok: false, code: 'unauthorized' })
    writeFileSync(keyFile, JSON.stringify({ key: 'second' }))
    expect(await ask()).toMatchObject({ ok: true })
    expect(await api.ask('unlockRide', { phone: '17000300001', vehicleNumber: 'SD1' })).toEqual({
      ok: true,
      data: 'POST',
    })
    expect(await api.pay('abc'), 'the channel does not know it').toEqual({ ok: false, code: 'payment_unavailable' })
    expect(await ask('fault')).toEqual({ ok: false, code: 'away' })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(await ask()).toEqual({ ok: false, code: 'away' })
  })
})
