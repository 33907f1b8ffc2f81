import { mqttSubscriptions, mqttTopic, mqttUpKinds } from '@saddle/device-protocols/mqtt/topics.ts'
import type { GatewayProtocol } from '../protocol.ts'
import { openSharedBridge } from './broker/shared.ts'
import { createMqttSession } from './session.ts'

export const mqttProtocol: GatewayProtocol = {
  createSession: createMqttSession,
  secretOf: (secrets, device) => secrets.deviceSecret(device),
  hasRegistration: false,
  signInFields: (imei, { mqttBrokerUrl: url }) => ({
    broker: url === undefined ? null : new URL(url).host,
    userName: imei,
    clientId: imei,
    topics: [...mqttUpKinds.map((kind) => mqttTopic({ deviceId: imei, kind })), ...mqttSubscriptions(imei)],
  }),
  openBridge({ kit, metrics, adopt }) {
    const { mqttBrokerUrl: url } = kit.config
    return url === undefined ? null : openSharedBridge({ kit, url, metrics, adopt })
  },
}
