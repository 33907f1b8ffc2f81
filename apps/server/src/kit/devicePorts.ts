import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { Config } from './config.ts'

export type DevicePortConfig = Pick<Config, `${DeviceProtocol}Port` | `${DeviceProtocol}TlsPort`>

/** The port of a protocol's listener. */
export const devicePort = (config: DevicePortConfig, protocol: DeviceProtocol): number => config[`${protocol}Port`]

/** The port of a protocol's listener over TLS; undefined where it is closed. */
export const deviceTlsPort = (config: DevicePortConfig, protocol: DeviceProtocol): number | undefined =>
  config[`${protocol}TlsPort`]
