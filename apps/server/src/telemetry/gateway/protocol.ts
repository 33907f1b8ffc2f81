import type { DeviceAccess } from '@saddle/contract/fleet/registration.ts'
import type { Config } from '#kit/config.ts'
import type { Kit } from '#kit/kit.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import type { Transport } from './connection.ts'
import type { DeviceSecrets, SecretOf } from './secrets.ts'
import type { DeviceSession, SessionDeps, SessionWatch } from './session.ts'

/** What staff enter into a device besides host and port. */
export type SignInFields = Pick<DeviceAccess, 'broker' | 'userName' | 'clientId' | 'topics'>

/** A connection to something outside that devices connect to instead of to the gateway. */
export type Bridge = {
  /** Called every second. */
  tick(): void
  /** Stops reading. */
  hold(): void
  close(): Promise<void>
}

export type BridgeOptions = {
  readonly kit: Pick<Kit, 'config' | 'log'>
  readonly metrics: TelemetryMetrics
  /** Starts a session as if the device had connected to the gateway's own listener. */
  readonly adopt: (transport: Transport) => void
}

/** What the gateway and the registration of devices know about a protocol. */
export type GatewayProtocol = {
  /** Starts the session of a new connection. */
  createSession(socket: Transport, deps: SessionDeps, watch: SessionWatch): DeviceSession
  /** What a device shows to sign in; null when the protocol has no secret. */
  readonly secretOf: ((secrets: DeviceSecrets, device: SecretOf) => string) | null
  /** Devices register themselves while staff hold the registration open, and may have a terminal number. */
  readonly hasRegistration: boolean
  /** Absent: host and port are enough. */
  readonly signInFields?: (imei: string, config: Pick<Config, 'mqttBrokerUrl'>) => SignInFields
  /** Null when the configuration names none. */
  readonly openBridge?: (options: BridgeOptions) => Bridge | null
}
