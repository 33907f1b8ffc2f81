import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'

/** The part of the configuration that names ports of devices. */
export type DevicePortConfig = Readonly<
  Record<`${DeviceProtocol}Port`, number> & Record<`${DeviceProtocol}TlsPort`, number | undefined>
>

/** The port of a protocol's listener. */
export const devicePort = (config: DevicePortConfig, protocol: DeviceProtocol): number => config[`${protocol}Port`]

/** The port of a protocol's listener over TLS; undefined where it is closed. */
export const deviceTlsPort = (config: DevicePortConfig, protocol: DeviceProtocol): number | undefined =>
  config[`${protocol}TlsPort`]
