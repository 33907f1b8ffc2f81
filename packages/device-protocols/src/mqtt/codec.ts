/** The door of the MQTT scheme, which `scheme.md` beside it explains: what gateway, simulator and tools use. */
export { decodeMqtt } from './decode.ts'
export { encodeMqttToPlatform, mqttLastWill } from './encode.ts'
export { decodeMqttCommand, encodeMqttToDevice } from './commands.ts'
export { toReports } from './to-report.ts'
export { readUsualReport } from './usual.ts'
export {
  coversMqttTopic,
  isMqttFilter,
  isOwnMqttFilter,
  mqttSubscriptions,
  mqttTopic,
  parseMqttTopic,
  type MqttTopic,
} from './topics.ts'
export {
  mqttAckStates,
  mqttCommands,
  mqttEvents,
  mqttLimits,
  mqttOfflineReasons,
  type MqttAckState,
  type MqttCommand,
  type MqttCommandOf,
  type MqttConfig,
  type MqttFields,
  type MqttMessage,
  type MqttMessageOf,
  type MqttOfflineReason,
  type MqttPublication,
  type MqttReported,
} from './messages.ts'
