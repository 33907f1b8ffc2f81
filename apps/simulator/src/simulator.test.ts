import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { demoVehicles } from '@saddle/contract/demo/city.ts'
import { toReport } from '@saddle/device-protocols/omni/codec.ts'
import { beginOmniHandshake, stepOmniHandshake } from '@saddle/device-protocols/omni/handshake.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeCity } from '#sim/city/city.ts'
import { createDeviceConnection } from '#sim/device/connection.ts'
import { demoTiming } from '#sim/device/device.ts'
import { createOmniDeviceCore } from '#sim/device/omni-device.ts'
import { createOmniLine } from '#sim/device/omni-line.ts'
import { createSingleDevice } from '#sim/fleet/single.ts'
import { makeTown } from '#sim/life/town.ts'
import { createRandom } from '#sim/random.ts'
import { is, startTestGateway } from './gateway.fixture.ts'
import { readOptions } from './options.ts'
import { startSimulator } from './simulator.ts'

const town = makeTown(makeCity())
let gateway: Awaited<ReturnType<typeof startTestGateway>>
const cleanUps: (() => void)[] = []
beforeEach(async () => {
  gateway = await startTestGateway()
})
afterEach(async () => {
  for (const clean of cleanUps.splice(0)) clean()
  await gateway.stop()
})
const cleanUp = <T extends { stop(): void }>(thing: T): T => {
  cleanUps.push(() => thing.stop())
  return thing
}

const imei = '868000000000001'
const [demo] = demoVehicles(1)
if (demo === undefined) throw new Error('the demo has vehicles')
const vehicle = { ...demo, imei, lat: 31.26, lng: 120.72, protocol: 'omni' as const }
const single = () => cleanUp(createSingleDevice({ vehicle, host: '127.0.0.1', port: gateway.port }))

/** The platform's part of the handshake over the socket. */
async function command(operation: 0 | 1) {
  const started = beginOmniHandshake({ operation, userId: 7, timestamp: 1_700_000_000, nowMs: 0 })
  for (const body of started.send) gateway.send(imei, body)
  const keyed = stepOmniHandshake(started.state, await gateway.next(is('R0')))
  for (const body of keyed.send) gateway.send(imei, body)
  const ended = stepOmniHandshake(
    keyed.state,
    operation === 0 ? await gateway.next(is('L0')) : await gateway.next(is('L1')),
  )
  for (const body of ended.send) gateway.send(imei, body)
  return ended.event
}

describe('one device over a socket', () => {
  it('signs in, is unlocked, moves, and is locked', async () => {
    const device = single()
    expect(await gateway.next(is('Q0'))).toMatchObject({ deviceId: imei })
    expect(await command(0)).toEqual({ kind: 'done', operation: 0 })
    expect(device.state.locked).toBe(false)

    device.move(31.262, 120.723, 15)
    const moved = await gateway.next(
      (message): message is typeof message => (toReport(message)?.position?.lat ?? 0) > 31.261,
    )
    expect(toReport(moved)?.position).toMatchObject({ lat: 31.262, lng: 120.723, fix: true })
    expect(await command(1)).toMatchObject({ kind: 'refused', reason: 'riding' })
    device.move(31.262, 120.723)
    expect(await command(1)).toMatchObject({ kind: 'done', operation: 1 })
    expect(device.state.locked).toBe(true)
  })

  it('comes back by itself when the line is cut, with what it had to say', async () => {
    const device = single()
    await gateway.next(is('Q0'))
    device.drop()
    device.alarm('illegal_movement')
    await gateway.next(is('Q0'))
    expect(await gateway.next(is('W0'))).toMatchObject({ alarm: 1 })
  })

  it('comes back after a restart that the platform asked for', async () => {
    single()
    await gateway.next(is('Q0'))
    gateway.send(imei, { instruction: 'S1', event: 2 })
    expect(await gateway.next(is('S1'))).toMatchObject({ event: 2 })
    expect(await gateway.next(is('Q0'))).toMatchObject({ deviceId: imei })
  })

  it('waits longer and longer while it is refused', async () => {
    let nowMs = 0
    let tries = 0
    const refusing = createServer((socket) => {
      tries++
      socket.destroy()
    })
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
    const { port } = refusing.address() as AddressInfo
    const random = createRandom(1)
    const body = {
      lat: 31,
      lng: 120,
      speedKmh: 0,
      locked: true,
      batteryPercent: 50,
      odometerM: 0,
      signal: 20,
      openSinceMs: null,
    }
    const core = createOmniDeviceCore({ imei, body, random, startMs: nowMs })
    const connection = createDeviceConnection({ line: createOmniLine(core), host: '127.0.0.1', port, random })
    const settled = async () => {
      while (connection.busy) await new Promise((resolve) => setImmediate(resolve))
    }
    const triesIn = async (seconds: number) => {
      const before = tries
      for (let second = 0; second < seconds; second++) {
        nowMs += 1000
        connection.tick(nowMs)
        await settled()
      }
      return tries - before
    }
    // Pauses of 1, 2, 4 and then 8 s, each cut by up to a half at random; the clock moves by whole seconds.
    expect(await triesIn(10)).toBeGreaterThanOrEqual(3)
    await triesIn(60)
    const later = await triesIn(600)
    expect(later).toBeGreaterThanOrEqual(600 / 9)
    expect(later).toBeLessThanOrEqual(600 / 4)
    connection.close()
    refusing.close()
  })
})

describe('the simulator', () => {
  it('connects the demo’s devices, rides and reports where they are', async () => {
    // Friday evening in the city: half of it is on its way home.
    const startMs = Date.UTC(2026, 10, 20, 9, 50)
    let nowMs = startMs
    const simulator = cleanUp(
      startSimulator({
        gateways: { omni: { host: '127.0.0.1', port: gateway.port } },
        vehicles: 360,
        seed: 3,
        speed: 10,
        timing: demoTiming,
        town,
        clock: { now: () => nowMs },
        running: false,
      }),
    )
    simulator.step()
    const speaking = demoVehicles(360).filter(({ protocol }) => protocol === 'omni')
    for (let i = 0; i < 8; i++) {
      nowMs += 200
      simulator.step()
    }
    for (const vehicle of speaking) await gateway.next(is('Q0', vehicle.imei))
    expect(simulator.onlineCount()).toBe(speaking.length)

    const start = new Map(speaking.map((vehicle) => [vehicle.imei, vehicle]))
    for (let i = 0; i < 900; i++) {
      nowMs += 200
      simulator.step()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const away = await gateway.next((message): message is typeof message => {
      const [place, home] = [toReport(message)?.position, start.get(message.deviceId)]
      return !!place && home !== undefined && Math.abs(place.lat - home.lat) + Math.abs(place.lng - home.lng) > 0.002
    })
    expect(toReport(away)?.occurredAt).toBeGreaterThanOrEqual(startMs)
    await gateway.next((message): message is typeof message => toReport(message)?.locked === false)
  })

  it('reconnects all when the platform restarts, and lets go at stop', async () => {
    let nowMs = 0
    const simulator = startSimulator({
      gateways: { omni: { host: '127.0.0.1', port: gateway.port } },
      vehicles: 18,
      seed: 3,
      town,
      clock: { now: () => nowMs },
      running: false,
    })
    simulator.step()
    const speaking = demoVehicles(18).filter(({ protocol }) => protocol === 'omni')
    expect(speaking).toHaveLength(6)
    for (const { imei: own } of speaking) await gateway.next(is('Q0', own))
    gateway.cutAll()
    while (simulator.onlineCount() > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(gateway.signIns()).toBe(6)
    // Too early: nobody hammers a platform that is just coming up.
    nowMs += 100
    simulator.step()
    expect(gateway.sockets()).toBe(0)
    nowMs += 60_000
    simulator.step()
    for (const { imei: own } of speaking) await gateway.next(is('Q0', own))
    expect(gateway.signIns()).toBe(12)
    simulator.stop()
    while (gateway.sockets() > 0) await new Promise((resolve) => setImmediate(resolve))
  })
})

describe('the command', () => {
  const main = new URL('./main.ts', import.meta.url).pathname

  it('reads its options and refuses nonsense', () => {
    expect(readOptions(['--omni=127.0.0.1:9680', '--speed=2', '--faults=0'])).toEqual({
      options: {
        gateways: { omni: { host: '127.0.0.1', port: 9680 } },
        vehicles: 2000,
        seed: 20261121,
        speed: 2,
        faults: 0,
      },
    })
    expect(readOptions(['--omni=[::1]:9680'])).toMatchObject({
      options: { gateways: { omni: { host: '::1' } } },
    })
    for (const bad of [
      [],
      ['--omni=nowhere'],
      ['--omni=a:99999'],
      ['--omni=a:1', '--vehicles=0'],
      ['--omni=a:1', '--vehicles=2.5'],
      ['--omni=a:1', '--seed=x'],
      ['--omni=a:1', '--speed=0'],
      ['--omni=a:1', '--faults=2'],
      ['--omni=a:1', '--colour=red'],
    ]) {
      expect(readOptions(bad)).toHaveProperty('problem')
    }
  })

  it('ends with code 1 and the usage when it is called wrongly', async () => {
    const child = spawn(process.execPath, [main], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const [code] = await once(child, 'close')
    expect(code).toBe(1)
    expect(said).toMatch(/one of --omni, --jt808, --mqtt must be host:port\nusage/)
  })

  it('dies when the process that started it is killed', async () => {
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ${JSON.stringify([main, `--omni=127.0.0.1:${gateway.port}`, '--vehicles=12'])}, { stdio: 'ignore' })
      console.log(child.pid)
      setInterval(() => {}, 1000)`
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    await gateway.next(is('Q0'))
    parent.kill('SIGKILL')
    for (;;) {
      if (gateway.sockets() === 0) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(pid).toBeGreaterThan(0)
  })
})
