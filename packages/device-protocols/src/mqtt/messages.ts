import type { DeviceReport } from '../report.ts'

/** A value of JSON that the scheme gives no name, within the limits of `mqttLimits`. */
export type MqttValue = string | number | boolean | null | MqttValue[] | { [name: string]: MqttValue }
export type MqttFields = { [name: string]: MqttValue }

export const mqttLimits = {
  /** Bytes of a payload. */
  payload: 16_384,
  /** Reports of one payload. */
  reports: 64,
  /** Characters of a text. */
  text: 256,
  /** Unnamed values of one payload, those inside others included. */
  values: 256,
  /** How deep unnamed values stand inside each other. */
  depth: 4,
  alarms: 16,
} as const

/** One report with what only this scheme says of a vehicle. */
export type MqttReported = {
  report: DeviceReport
  /** Counts the device's reports, so that a repeated one is known. */
  seq?: number
  satellites?: number
  compartmentOpen?: boolean
  fields?: MqttFields
}

/** Events that the platform acts on; a device may send others, they are kept. */
export const mqttEvents = [
  'locked',
  'unlocked',
  'compartment_opened',
  'compartment_closed',
  'charging_started',
  'charging_stopped',
  'powered_on',
  'alarm',
] as const

/** `received`: it is being carried out. */
export const mqttAckStates = ['received', 'done', 'failed'] as const
export type MqttAckState = (typeof mqttAckStates)[number]

/** `lost` is the last will, which the server publishes when the connection breaks. */
export const mqttOfflineReasons = ['lost', 'shutdown', 'update'] as const
export type MqttOfflineReason = (typeof mqttOfflineReasons)[number]

/** What a device says. `at` is milliseconds since 1970 UTC; null from a device that does not know the time. */
export type MqttBody =
  | { message: 'report'; reports: MqttReported[] }
  | ({ message: 'event'; event: string } & MqttReported)
  | { message: 'ack'; id: string; at: number | null; state: MqttAckState; reason?: string; fields?: MqttFields }
  | {
      message: 'hello'
      at: number | null
      model: string
      firmware: string
      iccid?: string
      /** Version of the configuration that the device has; the platform sees who is behind. */
      configVersion?: number
      fields?: MqttFields
    }
  | { message: 'offline'; at: number | null; reason: MqttOfflineReason; fields?: MqttFields }

/** `deviceId` is the IMEI of the topic. */
export type MqttMessage = { deviceId: string } & MqttBody
export type MqttMessageOf<M extends MqttBody['message']> = Extract<MqttMessage, { message: M }>

export const mqttCommands = [
  'unlock',
  'lock',
  'ring',
  'open_compartment',
  'power_off',
  'restart',
  'locate',
  'version',
  'upgrade',
] as const

export type MqttConfig = {
  /** Grows with every change; a device ignores a lower one than it has. */
  version: number
  reportRidingS?: number
  reportIdleS?: number
  lowBatteryPercent?: number
  maxSpeedKmh?: number
  movementAlarm?: boolean
  fields?: MqttFields
}

/** What the platform says. */
export type MqttCommandBody =
  | {
      message: 'command'
      id: string
      at: number
      /** A command that arrives later must not be carried out. */
      expiresAt: number
      /** One of `mqttCommands`; a device answers `failed` to one that it does not know. */
      command: string
      fields?: MqttFields
    }
  /** Null: the retained configuration is taken back, the device falls back on its own. */
  | { message: 'config'; config: MqttConfig | null }

export type MqttCommand = { deviceId: string } & MqttCommandBody
export type MqttCommandOf<M extends MqttCommandBody['message']> = Extract<MqttCommand, { message: M }>

/** A message as it goes to the broker. */
export type MqttPublication = { topic: string; payload: Buffer; qos: 1; retain: boolean }
