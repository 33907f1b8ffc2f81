import type { DeviceAccess } from '@saddle/contract/fleet/registration.ts'
import { deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/vehicles.ts'
import { mqttSubscriptions, mqttTopic, mqttUpKinds } from '@saddle/device-protocols/mqtt/topics.ts'
import type { Config } from '#kit/config.ts'

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

type Ports = 'omniPort' | 'jt808Port' | 'mqttPort' | 'omniTlsPort' | 'jt808TlsPort' | 'mqttTlsPort'
type Addresses = Pick<Config, 'deviceHost' | 'publicUrl' | 'mqttBrokerUrl' | Ports>

/** What its device must be told so that it finds the platform. */
export function accessOf(row: AccessRow, config: Addresses): DeviceAccess {
  const protocol = protocolOf(row.protocol)
  const ports = { omni: config.omniPort, jt808: config.jt808Port, mqtt: config.mqttPort }
  const tlsPorts = { omni: config.omniTlsPort, jt808: config.jt808TlsPort, mqtt: config.mqttTlsPort }
  const isMqtt = protocol === 'mqtt'
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
    port: ports[protocol],
    tlsPort: tlsPorts[protocol] ?? null,
    broker: isMqtt && config.mqttBrokerUrl !== undefined ? new URL(config.mqttBrokerUrl).host : null,
    userName: isMqtt ? imei : null,
    clientId: isMqtt ? imei : null,
    topics: isMqtt
      ? [...mqttUpKinds.map((kind) => mqttTopic({ deviceId: imei, kind })), ...mqttSubscriptions(imei)]
      : [],
    hasSecret: protocol !== 'omni',
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
