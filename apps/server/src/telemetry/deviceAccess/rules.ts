import type { DeviceAccess } from '@saddle/contract/fleet/registration.ts'
import { deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { Config } from '#kit/config.ts'
import { devicePort, deviceTlsPort, type DevicePortConfig } from '#kit/devicePorts.ts'
import type { SignInFields } from '../gateway/protocol.ts'
import { gatewayProtocols } from '../gateway/protocols.ts'

export type AccessRow = {
  vehicle_id: number
  agent_id: number
  area_id: number
  number: string
  imei: string
  terminal_number: string | null
  plate: string | null
  model: string
  protocol: string
  company: string
  area_name: string
  secret_generation: number
  is_claimed: boolean
  registration_open_until: Date | null
  heard_at: Date | null
}

export function protocolOf(text: string): DeviceProtocol {
  const protocol = deviceProtocols.find((known) => known === text)
  if (protocol === undefined) throw new RangeError(`unknown protocol ${text}`)
  return protocol
}

type Addresses = Pick<Config, 'deviceHost' | 'publicUrl' | 'mqttBrokerUrl'> & DevicePortConfig

const hostAndPort: SignInFields = { broker: null, userName: null, clientId: null, topics: [] }

/** What has to be entered into the device so that it connects to the platform. */
export function accessOf(row: AccessRow, config: Addresses): DeviceAccess {
  const protocol = protocolOf(row.protocol)
  const { secretOf, signInFields } = gatewayProtocols[protocol]
  const { imei } = row
  return {
    vehicleId: row.vehicle_id,
    number: row.number,
    imei,
    terminalNumber: row.terminal_number,
    plate: row.plate,
    model: row.model,
    protocol,
    company: row.company,
    areaName: row.area_name,
    host: hostOf(config),
    port: devicePort(config, protocol),
    tlsPort: deviceTlsPort(config, protocol) ?? null,
    ...(signInFields?.(imei, config) ?? hostAndPort),
    hasSecret: secretOf !== null,
    secretChanges: row.secret_generation,
    isClaimed: row.is_claimed,
    registrationOpenUntil: row.registration_open_until?.getTime() ?? null,
    heardAt: row.heard_at?.getTime() ?? null,
  }
}

function hostOf({ deviceHost, publicUrl }: Addresses): string | null {
  if (deviceHost !== undefined) return deviceHost
  return publicUrl === undefined ? null : new URL(publicUrl).hostname
}
