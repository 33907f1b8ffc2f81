import type { Duplex } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import type { ClaimedCommand, Commands, Vehicles } from '#fleet/public.ts'
import type { DeviceProtocol } from '@saddle/contract/fleet/vehicles.ts'
import type { Kit } from '#kit/kit.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import { canBeAt } from '../reports/motion.ts'
import { soundReport, type SoundReport } from '../reports/rules.ts'
import type { StoredFrame } from '../reports/store.ts'
import type { ReportWriter } from '../reports/writer.ts'
import type { Contest } from './contest.ts'
import type { Device } from './devices.ts'
import { createBucket, gatewayLimits } from './limits.ts'
import type { GoneVehicles } from './gone.ts'
import type { Tallies } from './health.ts'
import type { DeviceSecrets } from './secrets.ts'

export type CloseReason =
  | 'contested'
  | 'device'
  | 'error'
  | 'flood'
  | 'foreign'
  | 'garbage'
  | 'idle'
  | 'mixed'
  | 'not_reading'
  | 'protocol'
  | 'replaced'
  | 'revoked'
  | 'secret'
  | 'silent'
  | 'stopping'
  | 'too_large'
  | 'unknown'

/** A socket, or what stands for one. */
export type Line = Duplex & {
  readonly remoteAddress?: string | undefined
  /** The broker outside has checked who speaks; the device shows its password to the broker alone. */
  readonly isVouchedFor?: boolean
  destroySoon(): void
}

/** What every session of the gateway shares. */
export type SessionParts = {
  readonly kit: Pick<Kit, 'clock' | 'log' | 'bus'>
  readonly commands: Commands
  readonly vehicles: Pick<Vehicles, 'claimTerminal' | 'configOf' | 'configure'>
  readonly writer: ReportWriter
  readonly metrics: TelemetryMetrics
  readonly tallies: Tallies
  /** Lines of the log that devices may cause. */
  readonly notices: ReturnType<typeof createBucket>
  readonly gone: GoneVehicles
  readonly secrets: DeviceSecrets
  /** The registered device of this name and protocol; null for one that must not be let in, which is noted. */
  identify(call: { name: string; protocol: DeviceProtocol; address: string }): Promise<Device | null>
  /** Notes a device that is known but could not show its secret. */
  noteRefused(call: { name: string; protocol: DeviceProtocol; address: string }): void
  /** What was stored of a vehicle lately, the latest first. */
  lately(options: { vehicleId: number; kind: string; since: number }): Promise<readonly StoredFrame[]>
  noteFirmware(options: { vehicleId: number; firmware: string }): Promise<void>
}

/** What the gateway does with a session, whatever it speaks. */
export type DeviceSession = {
  readonly protocol: DeviceProtocol
  /** Null until it has signed in. */
  readonly device: Device | null
  /** Of a protocol without a secret. */
  readonly contest?: Contest
  /** Looks for a queued command and begins it, when none is under way. */
  dispatch(): void
  /** The clock's work: commands and connections whose time is over. */
  tick(): void
  /** Takes over what has changed of its device: the next command and the next report are by the new profile. */
  follow(device: Device): void
  close(reason: CloseReason): void
  /** Reads nothing more. */
  hold(): void
  /** Resolves when all that was read is stored and answered. */
  settled(): Promise<void>
}

export type SessionWatch = {
  /** Whether a line that has no secret to show may be this device's. */
  admits(device: Device, address: string): Promise<boolean>
  /** Takes the place of an older connection of the same device. */
  onSignedIn(session: DeviceSession, device: Device): void
  onClosed(session: DeviceSession): void
}

/** One connection of one device, as the functions of this folder pass it around. */
export type Connection = {
  readonly protocol: DeviceProtocol
  readonly socket: Line
  readonly parts: SessionParts
  readonly address: string
  readonly bucket: ReturnType<typeof createBucket>
  readonly openedAt: number
  heardAt: number
  /** Null until the device has signed in. */
  device: Device | null
  malformed: number
  /** Before that no fault of it is told again. */
  tellFaultsAt: number
  /** As it said on this connection. */
  firmware: string | null
  command: ClaimedCommand | null
  /** Reports on their way to the database. */
  underWay: number
  /** With so many its socket is paused. */
  readonly maxUnderWay: number
  /** While a device is looked up nothing more is read. */
  isSigningIn: boolean
  isWaitingForWriter: boolean
  /** The gateway stops: nothing more is read. */
  isHeld: boolean
  closedFor: CloseReason | null
  /** Steps that must follow one another: what a command stores and sends. */
  chain: Promise<void>
  onIdle: (() => void)[]
  onClosed: (reason: CloseReason) => void
}

export function createConnection(options: {
  protocol: DeviceProtocol
  socket: Line
  parts: SessionParts
  maxUnderWay?: number
}): Connection {
  const { protocol, socket, parts, maxUnderWay = gatewayLimits.maxPendingReports } = options
  const { clock } = parts.kit
  return {
    protocol,
    socket,
    parts,
    address: socket.remoteAddress ?? '',
    bucket: createBucket({ clock, perSecond: gatewayLimits.framesPerSecond, burst: gatewayLimits.framesBurst }),
    openedAt: clock.now(),
    heardAt: clock.now(),
    device: null,
    malformed: 0,
    tellFaultsAt: Number.NEGATIVE_INFINITY,
    firmware: null,
    command: null,
    underWay: 0,
    maxUnderWay,
    isSigningIn: false,
    isWaitingForWriter: false,
    isHeld: false,
    closedFor: null,
    chain: Promise.resolve(),
    onIdle: [],
    onClosed: () => {},
  }
}

/** Answers that were given when the gateway stops, and the reason of a refusal, still go out. */
const lastWords: ReadonlySet<CloseReason> = new Set([
  'foreign',
  'protocol',
  'replaced',
  'revoked',
  'secret',
  'stopping',
  'too_large',
  'unknown',
])
/** What a sound device never does. */
const faults: ReadonlySet<CloseReason> = new Set([
  'contested',
  'flood',
  'foreign',
  'garbage',
  'mixed',
  'not_reading',
  'protocol',
  'secret',
  'too_large',
  'unknown',
])

export function closeConnection(connection: Connection, reason: CloseReason): void {
  if (connection.closedFor !== null) return
  connection.closedFor = reason
  const { socket, parts } = connection
  if (lastWords.has(reason)) {
    socket.destroySoon()
    socket.resume()
    // Whoever does not take them does not keep the line.
    setTimeout(() => socket.destroy(), gatewayLimits.lastWordsMs).unref()
  } else {
    socket.destroy()
  }
  parts.metrics.closed.inc({ protocol: connection.protocol, reason })
  if (faults.has(reason)) parts.tallies[connection.protocol].rejected += 1
  connection.onClosed(reason)
}

/**
 * Runs what the bytes of a line ask for. Whatever it throws ends this line and no other: the process serves every
 * vehicle, and what a stranger may send is not known beforehand.
 */
export function guard(connection: Connection, work: () => void | Promise<void>): void {
  try {
    work()?.catch((err: unknown) => onFault(connection, err))
  } catch (err) {
    onFault(connection, err)
  }
}

function onFault(connection: Connection, err: unknown): void {
  const { protocol, address, device, parts } = connection
  parts.kit.log.error({ err, protocol, address, imei: device?.imei }, 'a device connection failed and was closed')
  try {
    closeConnection(connection, 'error')
  } catch (second) {
    parts.kit.log.error({ err: second, protocol, address }, 'a device connection could not be closed in order')
    connection.socket.destroy()
  }
}

/** Hears the socket of a line; every handler is guarded. */
export function hear(connection: Connection, onData: (chunk: Buffer) => void): void {
  const { socket } = connection
  socket.on('data', (chunk: Buffer) => guard(connection, () => onData(chunk)))
  socket.on('error', () => guard(connection, () => closeConnection(connection, 'device')))
  socket.on('close', () => guard(connection, () => closeConnection(connection, 'device')))
}

/**
 * Takes the vehicle's next command for this line, when none is under way; null when there is none. The line may break
 * while it is fetched: then nobody was told, and it goes back.
 */
export async function claimCommand(connection: Connection): Promise<ClaimedCommand | null> {
  const { device, parts } = connection
  if (device === null || isClosed(connection) || connection.command !== null) return null
  const command = await parts.commands.claim(device.vehicleId)
  if (command !== null && isClosed(connection)) {
    await parts.commands.handBack(command)
    return null
  }
  connection.command = command
  return command
}

export const isClosed = ({ closedFor }: Pick<Connection, 'closedFor'>): boolean => closedFor !== null

/** Runs a step after all that were asked for before it; one that fails ends the connection. */
export function inOrder(connection: Connection, step: () => Promise<void>): void {
  const { log } = connection.parts.kit
  connection.chain = connection.chain.then(step).catch((err: unknown) => {
    log.error({ err, vehicleId: connection.device?.vehicleId }, 'a step of a command failed')
    closeConnection(connection, 'error')
  })
}

/** Puts bytes on the socket; whoever does not take them is let go. */
export function write(connection: Connection, bytes: Uint8Array): void {
  const { socket } = connection
  if (connection.closedFor !== null) return
  socket.write(bytes)
  if (socket.writableLength > gatewayLimits.maxUnsentBytes) closeConnection(connection, 'not_reading')
}

/** What is wrong with a frame, as it is counted. */
export type FrameFault = 'frame' | 'payload' | 'topic' | 'not_authorized' | 'too_large'

/** Counts a frame that breaks its protocol, and says so; true while the connection may go on. */
export function noteMalformed(connection: Connection, fault: FrameFault, reason: string): boolean {
  const { protocol, parts } = connection
  parts.metrics.malformed.inc({ protocol, fault })
  parts.tallies[protocol].rejected += 1
  connection.malformed += 1
  tellFault(connection, fault, reason)
  return connection.malformed <= gatewayLimits.maxMalformedFrames
}

/** Whoever builds devices reads it; one line a minute for each, and few altogether, so that no device fills the log. */
function tellFault(connection: Connection, fault: FrameFault, reason: string): void {
  const { protocol, address, device, parts } = connection
  const nowMs = parts.kit.clock.now()
  const isDue = device !== null && nowMs >= connection.tellFaultsAt && parts.notices.take()
  if (isDue) connection.tellFaultsAt = nowMs + gatewayLimits.tellFaultsEveryMs
  const { malformed } = connection
  const said = { imei: device?.imei, protocol, address, fault, reason, malformed }
  parts.kit.log[isDue ? 'warn' : 'debug'](said, 'a device breaks its protocol')
}

/** Reads on, or not: while the device is looked up, or its reports wait, its frames stay in its own socket. */
export function pauseWhileBehind(connection: Connection): void {
  const { socket, parts } = connection
  if (connection.closedFor !== null) return
  const isBehind = parts.writer.isBehind()
  const isFull = connection.underWay >= connection.maxUnderWay
  if (connection.isHeld || connection.isSigningIn || isBehind || isFull) {
    if (!socket.isPaused()) socket.pause()
  } else if (socket.isPaused()) {
    socket.resume()
  }
  if (isBehind) void resumeWhenCaughtUp(connection)
}

async function resumeWhenCaughtUp(connection: Connection): Promise<void> {
  if (connection.isWaitingForWriter) return
  connection.isWaitingForWriter = true
  await connection.parts.writer.caughtUp()
  connection.isWaitingForWriter = false
  pauseWhileBehind(connection)
}

export type Said = {
  /** The frame's bytes: two of the same device, time and bytes are one. */
  readonly frame: string | Uint8Array
  readonly report: DeviceReport
  readonly kind: string
  readonly commanded?: boolean
  /** Tells several reports of one frame apart. */
  readonly part?: number
}

/** Gives a report to the writer and calls back after its commit, with true, or when it could not be stored. */
export function submit(connection: Connection, said: Said, settled: (isStored: boolean) => void): void {
  const { device, parts } = connection
  if (device === null) return settled(false)
  const sound = plausible(connection, device, soundReport(said.report, parts.kit.clock.now()))
  const frameCrc = (crc32(said.frame) + (said.part ?? 0)) | 0
  // A report without a time of its own is kept under that of its arrival: nothing tells that it came before.
  const isRepeat = said.report.occurredAt !== null && device.recent.isRepeat(sound.occurredAt, frameCrc)
  const tally = parts.tallies[connection.protocol]
  connection.underWay += 1
  tally.waiting += 1
  parts.writer.push(
    { vehicleId: device.vehicleId, kind: said.kind, frameCrc, commanded: said.commanded ?? false, isRepeat, sound },
    (failure) => {
      // The writer has logged and counted it; a device that gets no answer says it again.
      if (failure !== null) device.recent.forget(sound.occurredAt, frameCrc)
      else tally.reports += 1
      connection.underWay -= 1
      tally.waiting -= 1
      // Called by the writer, which goes on with the reports of other lines.
      try {
        settled(failure === null)
      } catch (err) {
        onFault(connection, err)
      }
      if (connection.underWay === 0) for (const wake of connection.onIdle.splice(0)) wake()
      if (connection.socket.isPaused()) pauseWhileBehind(connection)
    },
  )
  return undefined
}

/** Takes the place out of what says where the vehicle is when it cannot have come there; it stays in the history. */
function plausible(connection: Connection, device: Device, sound: SoundReport): SoundReport {
  const { position } = sound
  const { metrics } = connection.parts
  let judged = sound
  if (position !== null && position.fix) {
    const at = Math.min(sound.occurredAt, sound.receivedAt)
    if (!canBeAt(device.motion, { lat: position.lat, lng: position.lng, at })) {
      judged = { ...sound, position: { ...position, fix: false }, faults: [...sound.faults, 'jump'] }
    }
  }
  for (const fault of judged.faults) metrics.faults.inc({ fault })
  return judged
}

/** Gives a report to the writer; resolves to true after its commit, to false when it could not be stored. */
export function store(connection: Connection, said: Said): Promise<boolean> {
  return new Promise((resolve) => submit(connection, said, resolve))
}

/** Resolves when all that was read is stored and answered. */
export async function settled(connection: Connection): Promise<void> {
  if (connection.underWay > 0) await new Promise<void>((resolve) => connection.onIdle.push(resolve))
  await connection.chain
}

/** Closes a connection that said nothing for too long; true when it did. */
export function closeSilent(connection: Connection, idleMs: number): boolean {
  const nowMs = connection.parts.kit.clock.now()
  if (connection.device === null && nowMs - connection.openedAt > gatewayLimits.signInWithinMs) {
    closeConnection(connection, 'silent')
  } else if (nowMs - connection.heardAt > idleMs) {
    closeConnection(connection, 'idle')
  }
  return connection.closedFor !== null
}

/** Tells the fleet what a device says it runs, once per connection. */
export function noteFirmware(connection: Connection, firmware: string): void {
  const { device, parts } = connection
  if (device === null || connection.firmware === firmware) return
  connection.firmware = firmware
  inOrder(connection, () => parts.noteFirmware({ vehicleId: device.vehicleId, firmware }))
}

/** A message that says nothing of the vehicle still says that it is there. */
export function spokeOf(deviceId: string, occurredAt: number | null = null): DeviceReport {
  return { deviceId, occurredAt, position: null }
}
