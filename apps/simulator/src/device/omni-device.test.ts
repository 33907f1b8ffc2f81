import { formatOmniCommand, type OmniBody, type OmniCommandBody } from '@saddle/device-protocols/omni/codec.ts'
import { describe, expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { createRandom } from '#sim/random.ts'
import { demoTiming } from './device.ts'
import { createOmniDeviceCore, outboxLimit } from './omni-device.ts'
import { packVoltageV, type VehicleBody } from './vehicle-body.ts'

const imei = '123456789123456'
const startMs = Date.UTC(2026, 10, 21)

function device(changes: Partial<VehicleBody> = {}) {
  const body: VehicleBody = {
    lat: 31.26,
    lng: 120.72,
    speedKmh: 0,
    locked: true,
    batteryPercent: 80,
    odometerM: 12_340,
    signal: 28,
    openSinceMs: null,
    ...changes,
  }
  const core = createOmniDeviceCore({ imei, body, random: createRandom(1), startMs })
  const told = (command: OmniCommandBody, nowMs = startMs, deviceId = imei) => {
    core.receive(formatOmniCommand({ header: 'SCOS', vendor: 'OM', deviceId, ...command }), nowMs)
    return core.take(100)
  }
  return { body, core, told }
}
const instructions = (messages: OmniBody[]) => messages.map(({ instruction }) => instruction)

function shake(made: ReturnType<typeof device>, operation: 0 | 1, nowMs = startMs) {
  const [answer] = made.told({ instruction: 'R0', operation, keySeconds: 20, userId: 7, timestamp: 9 }, nowMs)
  if (answer?.instruction !== 'R0') throw new Error('no key')
  const { key } = answer
  const command =
    operation === 0 ? { instruction: 'L0' as const, key, userId: 7, timestamp: 9 } : { instruction: 'L1' as const, key }
  return made.told(command, nowMs)
}

describe('a device', () => {
  it('signs in, then says how and where it is', () => {
    const { core } = device()
    core.connected(startMs)
    expect(core.take(100)).toMatchObject([
      { instruction: 'Q0', batteryPercent: 80, signal: 28 },
      { instruction: 'H0', locked: true },
      { instruction: 'D0', located: true, lat: 31.26, lng: 120.72, timeUtc: startMs },
    ])
  })

  it('speaks at its intervals, and more often while open', () => {
    const count = (locked: boolean) => {
      const { core } = device({ locked })
      core.connected(startMs)
      core.take(100)
      const said: OmniBody[] = []
      for (let nowMs = startMs; nowMs < startMs + 600_000; nowMs += 200) {
        core.tick(nowMs)
        said.push(...core.take(100))
      }
      const of = (name: string) => said.filter(({ instruction }) => instruction === name).length
      return { heartbeats: of('H0'), positions: of('D0'), data: of('S6') }
    }
    const slack = 2
    const parked = count(true)
    const open = count(false)
    expect(Math.abs(parked.heartbeats - 600_000 / demoTiming.heartbeatMs)).toBeLessThanOrEqual(slack)
    expect(Math.abs(parked.positions - 600_000 / demoTiming.parkedPositionMs)).toBeLessThanOrEqual(slack)
    expect(parked.data).toBe(0)
    expect(Math.abs(open.positions - 600_000 / demoTiming.trackingMs)).toBeLessThanOrEqual(slack)
    expect(Math.abs(open.data - 600_000 / demoTiming.vehicleDataMs)).toBeLessThanOrEqual(slack)
  })

  it('unlocks and locks by the handshake and tells it at once', () => {
    const made = device()
    made.core.connected(startMs)
    made.core.take(100)
    expect(shake(made, 0)).toEqual([{ instruction: 'L0', result: 0, userId: 7, timestamp: 9 }])
    expect(made.body).toMatchObject({ locked: false, openSinceMs: startMs })
    made.core.tick(startMs + 1)
    expect(instructions(made.core.take(100))).toEqual(expect.arrayContaining(['H0', 'D0']))

    const later = startMs + 3 * minuteMs
    expect(shake(made, 1, later)).toEqual([{ instruction: 'L1', result: 0, userId: 7, timestamp: 9, ridingTimeMin: 3 }])
    expect(made.body).toMatchObject({ locked: true, openSinceMs: null })
  })

  it('does not lock while riding, nor with a stuck bolt', () => {
    const riding = device({ locked: false, speedKmh: 12 })
    riding.core.connected(startMs)
    riding.core.take(100)
    expect(shake(riding, 1)).toMatchObject([{ result: 3 }])
    expect(riding.body.locked).toBe(false)

    const stuck = device()
    stuck.core.connected(startMs)
    stuck.core.take(100)
    stuck.core.troubles.stuckBolt = true
    expect(shake(stuck, 0)).toMatchObject([{ result: 1 }])
    expect(stuck.body.locked).toBe(true)
  })

  it('answers the other commands, restarts when told, ignores the rest', () => {
    const { core, told, body } = device()
    core.connected(startMs)
    core.take(100)
    expect(told({ instruction: 'D0' })).toMatchObject([{ instruction: 'D0', trigger: 0, located: true }])
    expect(told({ instruction: 'S6' })).toMatchObject([
      { instruction: 'S6', odometerM: 12_340, battery1V: packVoltageV(80) },
    ])
    expect(told({ instruction: 'S8', times: 5 })).toEqual([{ instruction: 'S8', times: 5 }])
    expect(told({ instruction: 'L5', operation: 1 })).toEqual([{ instruction: 'L5', operation: 1, result: 0 }])
    expect(told({ instruction: 'D1', intervalS: 2 })).toEqual([{ instruction: 'D1', intervalS: 2 }])
    expect(told({ instruction: 'G0' })).toMatchObject([{ instruction: 'G0', firmware: '110' }])
    expect(core.takeRestart()).toBe(false)
    expect(told({ instruction: 'S1', event: 2 })).toEqual([{ instruction: 'S1', event: 2 }])
    expect([core.takeRestart(), core.takeRestart()]).toEqual([true, false])

    expect(told({ instruction: 'S8', times: 5 }, startMs, '999999999999999')).toEqual([])
    core.receive('nonsense', startMs)
    expect(core.take(100)).toEqual([])
    expect(body.locked).toBe(true)
  })

  it('stores positions and alarms while it has no line, oldest lost first, and sends them after the sign-in', () => {
    const { core } = device({ locked: false })
    core.connected(startMs)
    core.take(100)
    core.disconnected()
    core.alarm(1)
    for (let at = 1; at <= 3; at++) core.position(startMs + at * 1000)
    core.heartbeat()
    core.connected(startMs + 10_000)
    const said = core.take(500)
    expect(instructions(said)).toEqual(['Q0', 'H0', 'D0', 'W0', 'D0', 'D0', 'D0'])
    expect(said.at(-1)).toMatchObject({ timeUtc: startMs + 3000 })

    core.disconnected()
    for (let at = 0; at < outboxLimit + 50; at++) core.position(startMs + at * 1000)
    core.connected(startMs)
    const stored = core.take(1000).slice(3)
    expect(stored).toHaveLength(outboxLimit)
    expect(stored[0]).toMatchObject({ timeUtc: startMs + 50_000 })
  })

  it('says that it has no satellites rather than an old place', () => {
    const { core } = device()
    core.connected(startMs)
    core.take(100)
    core.troubles.noSatellites = true
    core.position(startMs)
    const [message] = core.take(1)
    expect(message).toMatchObject({ instruction: 'D0', located: false })
    expect(message).not.toHaveProperty('lat')
  })
})
