import type { Duplex } from 'node:stream'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { ClaimedCommand } from '#fleet/public.ts'
import type { Device } from './devices.ts'
import { createBucket, gatewayLimits } from './limits.ts'
import type { CloseReason, SessionDeps } from './session.ts'
import type { UpgradeUnderWay } from './upgradeUnderWay.ts'

/** A socket, or a stream that behaves like one. */
export type Transport = Duplex & {
  readonly remoteAddress?: string | undefined
  /** The external broker has authenticated the device; the device shows its password to the broker only. */
  readonly isAuthenticated?: boolean
  destroySoon(): void
}

/** One connection of one device. The functions of this folder share it. */
export type Connection = {
  readonly protocol: DeviceProtocol
  readonly socket: Transport
  readonly deps: SessionDeps
  readonly address: string
  readonly bucket: ReturnType<typeof createBucket>
  readonly openedAt: number
  heardAt: number
  /** Null until the device has signed in. */
  device: Device | null
  malformed: number
  /** The next malformed frame before this moment is not logged. */
  nextFaultLogAt: number
  /** As the device reported it on this connection. */
  firmware: string | null
  command: ClaimedCommand | null
  /** The upgrade that goes over this connection. */
  upgrade: UpgradeUnderWay | null
  /** Reports on their way to the database. */
  pendingReports: number
  /** With this many pending reports the socket is paused. */
  readonly maxPendingReports: number
  /** Nothing is read while the device is looked up. */
  isSigningIn: boolean
  isWaitingForWriter: boolean
  /** The gateway is stopping: nothing more is read. */
  isHeld: boolean
  closedFor: CloseReason | null
  /** Steps that run one after another: what a command stores and sends. */
  chain: Promise<void>
  onIdle: (() => void)[]
  onClosed: (reason: CloseReason) => void
}

export function createConnection(options: {
  protocol: DeviceProtocol
  socket: Transport
  deps: SessionDeps
  maxPendingReports?: number
}): Connection {
  const { protocol, socket, deps, maxPendingReports = gatewayLimits.maxPendingReports } = options
  const { clock } = deps.kit
  return {
    protocol,
    socket,
    deps,
    address: socket.remoteAddress ?? '',
    bucket: createBucket({ clock, perSecond: gatewayLimits.framesPerSecond, burst: gatewayLimits.framesBurst }),
    openedAt: clock.now(),
    heardAt: clock.now(),
    device: null,
    malformed: 0,
    nextFaultLogAt: Number.NEGATIVE_INFINITY,
    firmware: null,
    command: null,
    upgrade: null,
    pendingReports: 0,
    maxPendingReports,
    isSigningIn: false,
    isWaitingForWriter: false,
    isHeld: false,
    closedFor: null,
    chain: Promise.resolve(),
    onIdle: [],
    onClosed: () => {},
  }
}

/** Reasons after which bytes that were already written are still sent: pending answers, or why the device was refused. */
const flushedReasons: ReadonlySet<CloseReason> = new Set([
  'foreign',
  'protocol',
  'replaced',
  'revoked',
  'secret',
  'stopping',
  'too_large',
  'unknown',
])
/** Reasons that a correct device never causes. */
const faultReasons: ReadonlySet<CloseReason> = new Set([
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
  const { socket, deps } = connection
  if (flushedReasons.has(reason)) {
    socket.destroySoon()
    socket.resume()
    // A device that does not read them is cut off.
    setTimeout(() => socket.destroy(), gatewayLimits.flushWithinMs).unref()
  } else {
    socket.destroy()
  }
  deps.metrics.closed.inc({ protocol: connection.protocol, reason })
  if (faultReasons.has(reason)) deps.tallies[connection.protocol].rejected += 1
  connection.onClosed(reason)
}

/**
 * Runs the handler of received bytes. An exception closes this connection and no other: the process serves every
 * vehicle, and an unknown device may send anything.
 */
export function guard(connection: Connection, work: () => void | Promise<void>): void {
  try {
    work()?.catch((err: unknown) => failConnection(connection, err))
  } catch (err) {
    failConnection(connection, err)
  }
}

/** Logs an unexpected error and closes the connection. */
export function failConnection(connection: Connection, err: unknown): void {
  const { protocol, address, device, deps } = connection
  deps.kit.log.error({ err, protocol, address, imei: device?.imei }, 'a device connection failed and was closed')
  try {
    closeConnection(connection, 'error')
  } catch (second) {
    deps.kit.log.error({ err: second, protocol, address }, 'a device connection could not be closed cleanly')
    connection.socket.destroy()
  }
}

/** Listens to the socket's events; every handler is guarded. */
export function attachSocket(connection: Connection, onData: (chunk: Buffer) => void): void {
  const { socket } = connection
  socket.on('data', (chunk: Buffer) => guard(connection, () => onData(chunk)))
  socket.on('error', () => guard(connection, () => closeConnection(connection, 'device')))
  socket.on('close', () => guard(connection, () => closeConnection(connection, 'device')))
}

export const isClosed = ({ closedFor }: Pick<Connection, 'closedFor'>): boolean => closedFor !== null

/** Closes a connection that was silent for too long; returns whether it is closed. */
export function closeSilent(connection: Connection, idleMs: number): boolean {
  const nowMs = connection.deps.kit.clock.now()
  if (connection.device === null && nowMs - connection.openedAt > gatewayLimits.signInWithinMs) {
    closeConnection(connection, 'silent')
  } else if (nowMs - connection.heardAt > idleMs) {
    closeConnection(connection, 'idle')
  }
  return connection.closedFor !== null
}
