import type { Command } from '@saddle/contract/fleet/commands.ts'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { topic } from '#kit/bus.ts'
import type { ContactableState } from './states/rules.ts'

/** The latest that is known of a vehicle. Times are milliseconds since 1970, so that it can travel as JSON. */
export type VehicleNow = {
  readonly vehicleId: number
  readonly agentId: number
  readonly areaId: number
  /** Of two, the one with the higher version is the newer, in whatever order they arrive. */
  readonly version: number
  readonly state: VehicleState
  /** What a silent or lost vehicle was before. */
  readonly stateBefore: ContactableState | null
  readonly lat: number | null
  readonly lng: number | null
  readonly speedKmh: number | null
  readonly headingDeg: number | null
  readonly positionAt: number | null
  readonly batteryPercent: number | null
  readonly voltageV: number | null
  readonly locked: boolean | null
  readonly charging: boolean | null
  readonly signal: number | null
  readonly odometerM: number | null
  readonly factsAt: number | null
  readonly heardAt: number | null
  /** Kinds of the alarms that are open. */
  readonly openAlarms: readonly string[]
}

export type AlarmMessage = {
  readonly vehicleId: number
  readonly agentId: number
  readonly areaId: number
  readonly kind: string
  readonly open: boolean
}

/** `names`: its IMEI and its terminal number. */
export type DeviceRevokedMessage = { readonly vehicleId: number; readonly names: readonly string[] }

export type ModelChangedMessage = { readonly model: string; readonly protocol: DeviceProtocol }

export type CommandQueuedMessage = { readonly commandId: number; readonly vehicleId: number }

export type CommandChangedMessage = {
  readonly agentId: number
  readonly areaId: number
  readonly operatorId: number
  readonly command: Command
}

/** Bus topics that the fleet publishes, each after the commit of the reported change. */
export const fleetTopics = {
  /** Vehicles that changed. */
  vehicle: topic<readonly VehicleNow[]>('vehicle.report'),
  alarm: topic<readonly AlarmMessage[]>('vehicle.alarm'),
  commandQueued: topic<CommandQueuedMessage>('command.queued'),
  commandChanged: topic<CommandChangedMessage>('command.changed'),
  /** IMEIs and terminal numbers of devices that were registered, changed or removed. */
  deviceChanged: topic<readonly string[]>('device.changed'),
  /** The model's devices have another profile. */
  modelChanged: topic<ModelChangedMessage>('vehicle.model'),
  /** The device's session ends, and what it sent so far counts no more. */
  deviceRevoked: topic<DeviceRevokedMessage>('device.revoked'),
} as const
