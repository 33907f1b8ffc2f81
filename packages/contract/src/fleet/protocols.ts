/**
 * Every protocol that devices speak: its label, and the default TCP port of its listener. The settings of its ports, the
 * listeners, the demo's vehicles and the tables of codecs, sessions and simulated devices follow from this table: a
 * missing entry there does not compile.
 */
const table = {
  omni: { label: 'Omni', port: 9680 },
  jt808: { label: 'JT/T 808', port: 9808 },
  mqtt: { label: 'MQTT', port: 9883 },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly port: number }>>

export type DeviceProtocol = keyof typeof table
export const deviceProtocols = Object.keys(table) as readonly DeviceProtocol[]

/** One value for each protocol. */
export function byProtocol<Value>(valueOf: (protocol: DeviceProtocol) => Value): Record<DeviceProtocol, Value> {
  return Object.fromEntries(deviceProtocols.map((protocol) => [protocol, valueOf(protocol)])) as Record<
    DeviceProtocol,
    Value
  >
}

export const deviceProtocolLabels: Readonly<Record<DeviceProtocol, string>> = byProtocol((name) => table[name].label)

export const defaultDevicePort = (protocol: DeviceProtocol): number => table[protocol].port
/** The environment variable with the port of the protocol's listener, and of the one over TLS. */
export const portSetting = (protocol: DeviceProtocol): string => `${protocol.toUpperCase()}_PORT`
export const tlsPortSetting = (protocol: DeviceProtocol): string => `${protocol.toUpperCase()}_TLS_PORT`

/** The settings of all ports, by the environment variables' names. */
export function portSettings(portOf: (protocol: DeviceProtocol) => number): Record<string, string> {
  return Object.fromEntries(deviceProtocols.map((protocol) => [portSetting(protocol), String(portOf(protocol))]))
}
