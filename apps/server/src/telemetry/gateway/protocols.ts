import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { jt808Protocol } from './jt808/protocol.ts'
import { mqttProtocol } from './mqtt/protocol.ts'
import { omniProtocol } from './omni/protocol.ts'
import type { GatewayProtocol } from './protocol.ts'

export const gatewayProtocols: Readonly<Record<DeviceProtocol, GatewayProtocol>> = {
  omni: omniProtocol,
  jt808: jt808Protocol,
  mqtt: mqttProtocol,
}
