import type { DeviceAccess } from '@saddle/contract/fleet/registration.ts'
import type { Config } from '#kit/config.ts'
import { devicePort, deviceTlsPort, type DevicePortConfig } from '#kit/devicePorts.ts'
import type { SignInFields } from '../gateway/protocol.ts'
import { gatewayProtocols } from '../gateway/protocols.ts'
import { accessRow, type AccessRow } from './store.ts'

type Addresses = Pick<Config, 'deviceHost' | 'publicUrl' | 'mqttBrokerUrl'> & DevicePortConfig

const hostAndPort: SignInFields = { broker: null, userName: null, clientId: null, topics: [] }

/** What has to be entered into the device so that it connects to the platform. */
export function accessOf(row: AccessRow, config: Addresses): DeviceAccess {
  const { agentId: _agent, areaId: _area, secretGeneration, ...shown } = accessRow.present(row)
  const { imei, protocol } = shown
  const { secretOf, signInFields } = gatewayProtocols[protocol]
  return {
    ...shown,
    host: hostOf(config),
    port: devicePort(config, protocol),
    tlsPort: deviceTlsPort(config, protocol) ?? null,
    ...(signInFields?.(imei, config) ?? hostAndPort),
    hasSecret: secretOf !== null,
    secretChanges: secretGeneration,
  }
}

function hostOf({ deviceHost, publicUrl }: Addresses): string | null {
  if (deviceHost !== undefined) return deviceHost
  return publicUrl === undefined ? null : new URL(publicUrl).hostname
}
