import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { Commands, Vehicles } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import type { StoredFrame } from '../reports/store.ts'
import type { StandingReports } from '../reports/standing.ts'
import type { ReportWriter } from '../reports/writer.ts'
import type { Contest } from './contest.ts'
import type { Device } from './devices.ts'
import type { DisconnectedVehicles } from './disconnected.ts'
import type { Tallies } from './health.ts'
import type { createBucket } from './limits.ts'
import type { Transfers } from '#production/public.ts'
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

/** What every session of the gateway shares. */
export type SessionDeps = {
  readonly kit: Pick<Kit, 'clock' | 'log' | 'bus'>
  readonly commands: Commands
  /** Names this gateway in the leases of a cluster; null on a single server. */
  readonly leaseId: string | null
  readonly transfers: Transfers
  readonly vehicles: Pick<Vehicles, 'claimTerminal' | 'configOf' | 'configure'>
  readonly writer: ReportWriter
  readonly standing: StandingReports
  readonly metrics: TelemetryMetrics
  readonly tallies: Tallies
  /** Limits the lines of the log that devices can cause. */
  readonly faultLines: ReturnType<typeof createBucket>
  readonly disconnected: DisconnectedVehicles
  readonly secrets: DeviceSecrets
  /** The registered device of this name and protocol; null when it must not sign in, which is noted. */
  identify(call: { name: string; protocol: DeviceProtocol; address: string }): Promise<Device | null>
  /** Notes a registered device that showed a wrong secret. */
  noteRefused(call: { name: string; protocol: DeviceProtocol; address: string }): void
  /** Frames of a vehicle that were stored recently, the latest first. */
  recentFrames(options: { vehicleId: number; kind: string; since: number }): Promise<readonly StoredFrame[]>
  noteFirmware(options: { vehicleId: number; firmware: string }): Promise<void>
}

/** One device's session, whatever its protocol. */
export type DeviceSession = {
  readonly protocol: DeviceProtocol
  /** Null until it has signed in. */
  readonly device: Device | null
  /** For a protocol without a secret. */
  readonly contest?: Contest
  /** Claims a queued command and sends it, when none is in progress. */
  dispatch(): void
  /** Begins or goes on with the vehicle's upgrade, when there is one. */
  upgrade(): void
  /** The vehicle's upgrade ended: nothing more of it is sent. */
  holdUpgrade(): void
  /** Ends commands and connections whose time is over. */
  tick(): void
  /** Applies changes of the device: the next command and the next report use its new profile. */
  updateDevice(device: Device): void
  close(reason: CloseReason): void
  /** Stops reading. */
  hold(): void
  /** Resolves when all that was read is stored and answered. */
  settled(): Promise<void>
}

export type SessionWatch = {
  /** Whether a connection that cannot show a secret may belong to this device. */
  admits(device: Device, address: string): Promise<boolean>
  /** Replaces an older connection of the same device. */
  onSignedIn(session: DeviceSession, device: Device): void
  onClosed(session: DeviceSession): void
}
