import type { KeyObject } from 'node:crypto'
import { minuteMs } from '@saddle/contract/time.ts'
import { decodeOmniCommand, type OmniBody, type OmniCommand } from '@saddle/device-protocols/omni/codec.ts'
import { crc16 } from '@saddle/device-protocols/crc16.ts'
import { ProtocolError } from '@saddle/device-protocols/error.ts'
import {
  omniDeviceLockAtRest,
  stepOmniDeviceLock,
  tickOmniDeviceLock,
  type OmniDeviceLockStep,
} from '@saddle/device-protocols/omni/handshake.ts'
import type { Random } from '#sim/random.ts'
import { createFlasher, type Flasher, type InstallOutcome } from './flasher.ts'
import { echoOf, heartbeatOf, omniFirmware, positionOf, signInOf, vehicleDataOf } from './omni-encoder.ts'
import { demoTiming, type DeviceTiming } from './device.ts'
import { noTroubles, type Troubles } from './troubles.ts'
import { setLock, type VehicleBody } from './vehicle-body.ts'

export type OmniDeviceCore = {
  readonly imei: string
  readonly body: VehicleBody
  readonly troubles: Troubles
  readonly flasher: Flasher
  /** A connection is open: signs in and reports the position. */
  connected(nowMs: number): void
  disconnected(): void
  /** A frame from the platform. */
  receive(frame: string, nowMs: number): void
  /** Queues what is due. */
  tick(nowMs: number): void
  heartbeat(): void
  position(nowMs: number): void
  alarm(code: number): void
  say(message: OmniBody): void
  /** Takes at most `limit` messages to send, oldest first. */
  take(limit: number): OmniBody[]
  /** True once after the platform asked for a restart. */
  takeRestart(): boolean
}

/** Positions and alarms wait for the next connection; more than this and the oldest are lost, as in a real device. */
export const outboxLimit = 200

type Due = { heartbeat: number; position: number; vehicleData: number }

/** Queues what is due at this moment and notes when it is due again. */
function sayWhatIsDue({
  due,
  timing,
  body,
  nowMs,
  say,
  sayPosition,
}: {
  due: Due
  timing: DeviceTiming
  body: VehicleBody
  nowMs: number
  say: (message: OmniBody) => void
  sayPosition: () => void
}): void {
  if (nowMs >= due.heartbeat) {
    say(heartbeatOf(body))
    due.heartbeat = nowMs + timing.heartbeatMs
  }
  if (nowMs >= due.position) {
    sayPosition()
    due.position = nowMs + (body.locked ? timing.parkedPositionMs : timing.trackingMs)
  }
  if (!body.locked && nowMs >= due.vehicleData) {
    say(vehicleDataOf(body))
    due.vehicleData = nowMs + timing.vehicleDataMs
  }
}

/** Applies a command that changes the report intervals. */
function retime(command: OmniCommand, timing: DeviceTiming, due: Due, nowMs: number): void {
  if (command.instruction === 'D1') {
    timing.trackingMs = command.intervalS > 0 ? command.intervalS * 1000 : Infinity
    due.position = nowMs
  }
  if (command.instruction === 'S5') {
    if (command.heartbeatS > 0) timing.heartbeatMs = command.heartbeatS * 1000
    if (command.uploadIntervalS > 0) timing.vehicleDataMs = command.uploadIntervalS * 1000
  }
}

const isOfUpgrade = ({ instruction }: OmniBody) => instruction === 'U0' || instruction === 'U1' || instruction === 'U2'

const isStored = ({ instruction }: OmniBody) => instruction === 'D0' || instruction === 'W0'

const results: Readonly<Record<InstallOutcome, number>> = { done: 0, digest: 2, signature: 3, battery: 4 }

/** Pulls an announced image package by package, over as many connections as it takes, and installs it. */
function pullNext(flasher: Flasher, command: OmniCommand): OmniBody[] {
  if (command.instruction === 'U0') {
    const { deviceType, crc16: checksum, key, packages } = command
    // The mark begins with what the image is for.
    flasher.begin({ mark: `${deviceType} ${checksum} ${key}`, total: packages })
    const [pulled] = pull(flasher, deviceType)
    const answer: OmniBody = { instruction: 'U0', firmware: flasher.version, deviceType }
    return pulled === undefined ? [answer] : [answer, pulled]
  }
  if (command.instruction !== 'U1') return []
  const bytes = Buffer.from(command.hex, 'hex')
  if (crc16(bytes) === command.crc16) flasher.put(command.packet, bytes)
  return pull(flasher, flasher.mark.split(' ')[0] ?? '')
}

function pull(flasher: Flasher, deviceType: string): OmniBody[] {
  const packet = flasher.missing()
  if (packet !== null) return [{ instruction: 'U1', packet, deviceType }]
  const whole = flasher.whole()
  if (whole === null) return []
  return [{ instruction: 'U2', deviceType, result: results[flasher.installSigned(whole)] }]
}

type Outbox = {
  say: (message: OmniBody) => void
  /** The connection is open: the sign-in is sent before everything that was stored. */
  open: (greeting: OmniBody[]) => void
  close: () => void
  take: (limit: number) => OmniBody[]
}

/** Messages that wait to be sent. Without a connection only positions and alarms are kept. */
function createOutbox(random: Random, troubles: Troubles): Outbox {
  let waiting: OmniBody[] = []
  let online = false
  return {
    say(message: OmniBody) {
      if (!online && !isStored(message)) return
      waiting.push(message)
      // Packages are counted; a network that doubles frames doubles reports.
      if (!isOfUpgrade(message) && random.chance(troubles.duplicateChance)) waiting.push(message)
      if (waiting.length > outboxLimit) waiting.splice(0, waiting.length - outboxLimit)
    },
    open(greeting: OmniBody[]) {
      online = true
      waiting = [...greeting, ...waiting]
    },
    close() {
      online = false
      waiting = waiting.filter(isStored)
    },
    take: (limit: number) => waiting.splice(0, limit),
  }
}

type OmniDeviceOptions = {
  imei: string
  body: VehicleBody
  random: Random
  timing?: DeviceTiming
  startMs: number
  firmware?: string | undefined
  artefactKey?: KeyObject | null | undefined
}

/** The device without its socket: takes frames and time, gives messages. */
export function createOmniDeviceCore({
  imei,
  body,
  random,
  timing: given = demoTiming,
  startMs,
  firmware = omniFirmware,
  artefactKey = null,
}: OmniDeviceOptions): OmniDeviceCore {
  const timing = { ...given }
  const troubles = noTroubles()
  const flasher = createFlasher({ version: firmware, key: artefactKey, body, troubles, random })
  const outbox = createOutbox(random, troubles)
  const { say, take } = outbox
  let restart = false
  let lock = omniDeviceLockAtRest
  let lastLocked = body.locked
  // Each device has its own phase, otherwise the whole fleet would report at the same instant.
  const due: Due = {
    heartbeat: startMs + random.between(0, timing.heartbeatMs),
    position: startMs + random.between(0, timing.trackingMs),
    vehicleData: startMs + random.between(0, timing.vehicleDataMs),
  }

  const placed = (nowMs: number, trigger: number) => positionOf({ body, troubles, random, nowMs, trigger })
  const sayPosition = (nowMs: number, trigger: number) => say(placed(nowMs, trigger))
  const turn = (step: OmniDeviceLockStep, nowMs: number) => {
    lock = step.state
    if (step.action) setLock(body, step.action === 'lock', nowMs)
    for (const message of step.send) say(message)
  }

  const obey = (command: OmniCommand, nowMs: number) => {
    retime(command, timing, due, nowMs)
    if (command.instruction === 'D0') sayPosition(nowMs, 0)
    if (command.instruction === 'S1') restart = true
    const answer = echoOf(command, body, flasher.version)
    if (answer) say(answer)
    for (const message of pullNext(flasher, command)) say(message)
    const situation = {
      nowMs,
      freshKey: random.below(256),
      speedKmh: body.speedKmh,
      ridingTimeMin: body.openSinceMs === null ? 0 : Math.floor((nowMs - body.openSinceMs) / minuteMs),
      lockWorks: !troubles.stuckBolt,
    }
    turn(stepOmniDeviceLock(lock, command, situation), nowMs)
  }

  return {
    imei,
    body,
    troubles,
    flasher,
    say,
    heartbeat: () => say(heartbeatOf(body)),
    position: (nowMs) => sayPosition(nowMs, 1),
    alarm: (code) => say({ instruction: 'W0', alarm: code }),
    connected(nowMs) {
      flasher.started()
      outbox.open([signInOf(body), heartbeatOf(body), placed(nowMs, 1)])
      due.heartbeat = nowMs + timing.heartbeatMs
    },
    disconnected() {
      lock = omniDeviceLockAtRest
      outbox.close()
    },
    receive(frame, nowMs) {
      try {
        const command = decodeOmniCommand(frame)
        if (command.deviceId === imei) obey(command, nowMs)
      } catch (error) {
        // A real device does not answer what it does not understand.
        if (!(error instanceof ProtocolError)) throw error
      }
    },
    tick(nowMs) {
      turn(tickOmniDeviceLock(lock, nowMs), nowMs)
      if (body.locked !== lastLocked) {
        lastLocked = body.locked
        due.heartbeat = nowMs
        due.position = nowMs
      }
      sayWhatIsDue({ due, timing, body, nowMs, say, sayPosition: () => sayPosition(nowMs, 1) })
    },
    take,
    takeRestart() {
      const asked = restart
      restart = false
      return asked
    },
  }
}
