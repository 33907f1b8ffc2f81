import { demoMetresPerDegree } from '@saddle/contract/demo/city.ts'
import type { OmniBody, OmniCommand } from '@saddle/device-protocols/omni/codec.ts'
import type { Random } from '#sim/random.ts'
import type { Troubles } from './troubles.ts'
import { packVoltageV, type VehicleBody } from './vehicle-body.ts'

/** What a lock runs that was never upgraded. */
export const omniFirmware = '110'
const buildDate = 'Jul 4 2018'

const round6 = (degrees: number) => Math.round(degrees * 1e6) / 1e6

const powerOf = (body: VehicleBody) => ({
  voltageV: packVoltageV(body.batteryPercent),
  batteryPercent: Math.max(0, Math.min(100, Math.round(body.batteryPercent))),
  signal: body.signal,
})

export const signInOf = (body: VehicleBody): OmniBody => ({ instruction: 'Q0', ...powerOf(body) })

export const heartbeatOf = (body: VehicleBody): OmniBody => ({
  instruction: 'H0',
  locked: body.locked,
  ...powerOf(body),
  charging: false,
})

export function positionOf({
  body,
  troubles,
  random,
  nowMs,
  trigger,
}: {
  body: VehicleBody
  troubles: Troubles
  random: Random
  nowMs: number
  trigger: number
}): OmniBody {
  const timeUtc = Math.floor((nowMs + troubles.clockSkewMs) / 10) * 10
  if (troubles.noSatellites) return { instruction: 'D0', trigger, timeUtc, located: false, mode: 'N' }
  return {
    instruction: 'D0',
    trigger,
    timeUtc,
    located: true,
    lat: round6(body.lat + random.gauss(troubles.gpsNoiseM) / demoMetresPerDegree.lat),
    lng: round6(body.lng + random.gauss(troubles.gpsNoiseM) / demoMetresPerDegree.lng),
    satellites: 7 + random.below(8),
    hdop: 0.9,
    altitudeM: 4,
    mode: 'A',
  }
}

export function vehicleDataOf(body: VehicleBody): OmniBody {
  const { voltageV, batteryPercent, signal } = powerOf(body)
  return {
    instruction: 'S6',
    batteryPercent,
    speedMode: 3,
    speedKmh: Math.round(body.speedKmh * 10) / 10,
    charging: false,
    battery1V: voltageV,
    battery2V: 0,
    locked: body.locked,
    signal,
    tripM: 0,
    odometerM: Math.round(body.odometerM / 10) * 10,
  }
}

/** The plain answer to a command that needs no more than that; null for the others. */
export function echoOf(command: OmniCommand, body: VehicleBody, firmware = omniFirmware): OmniBody | null {
  switch (command.instruction) {
    case 'S6':
      return vehicleDataOf(body)
    case 'G0':
      return { instruction: 'G0', firmware, buildDate }
    case 'D1':
      return { instruction: 'D1', intervalS: command.intervalS }
    case 'S5': {
      const { sensitivity, uploadWhileUnlocked, heartbeatS, uploadIntervalS } = command
      return { instruction: 'S5', sensitivity, uploadWhileUnlocked, heartbeatS, uploadIntervalS }
    }
    case 'S8':
      return { instruction: 'S8', times: command.times }
    case 'V0':
      return { instruction: 'V0', sound: command.sound }
    case 'L5':
      return { instruction: 'L5', operation: command.operation, result: 0 }
    case 'S1':
      return { instruction: 'S1', event: command.event }
    case 'D0':
    case 'R0':
    case 'L0':
    case 'L1':
    case 'U0':
    case 'U1':
    case 'ack':
    case 'unknown':
      break
  }
  return null
}
