import {
  defaultDevicePort,
  deviceProtocolLabels,
  deviceProtocols,
  portSetting,
  tlsPortSetting,
  type DeviceProtocol,
} from '@saddle/contract/fleet/protocols.ts'
import type { z } from 'zod'
import { port, variable, type Variable } from './forms.ts'

type PortVariables<Suffix extends string, S extends z.ZodType> = {
  readonly [Protocol in DeviceProtocol as `${Protocol}${Suffix}`]: Variable<S>
}

export const portVariables = Object.fromEntries(
  deviceProtocols.map((protocol) => [
    `${protocol}Port`,
    variable({
      name: portSetting(protocol),
      about: `TCP port for vehicles that speak ${deviceProtocolLabels[protocol]}.`,
      schema: port,
      fallback: String(defaultDevicePort(protocol)),
    }),
  ]),
) as PortVariables<'Port', typeof port>

const optionalPort = port.optional()
export const tlsPortVariables = Object.fromEntries(
  deviceProtocols.map((protocol) => [
    `${protocol}TlsPort`,
    variable({
      name: tlsPortSetting(protocol),
      about: `TCP port for ${deviceProtocolLabels[protocol]} over TLS; closed without it.`,
      schema: optionalPort,
    }),
  ]),
) as PortVariables<'TlsPort', typeof optionalPort>
