import {
  decodeMqttCommand,
  encodeMqttToPlatform,
  mqttSubscriptions,
  type MqttMessage,
} from '@saddle/device-protocols/mqtt/codec.ts'
import { expect } from 'vitest'
import type { Kit } from '#kit/kit.ts'
import { connectPacket, openMqtt, type MqttLine } from '#telemetry/gateway/mqtt/mqtt.fixture.ts'
import { createDeviceSecrets } from '#telemetry/gateway/secrets.ts'

type Device = {
  readonly kit: Pick<Kit, 'clock' | 'secrets'>
  readonly port: number
  readonly imei: string
  readonly firmware: string
  /** Waits until the platform knows that the vehicle is locked. */
  readonly becomesLocked: () => Promise<void>
}

/** A device of our own scheme on its line, locked and with a full battery. */
export async function mqttOnline({ kit, port, imei, firmware, becomesLocked }: Device): Promise<MqttLine> {
  const line = await openMqtt({ port })
  const password = createDeviceSecrets(kit.secrets).deviceSecret({ imei, secretGeneration: 0 })
  line.send(connectPacket({ imei, password }))
  expect(await line.next()).toMatchObject({ cmd: 'connack' })
  const at = kit.clock.now()
  sayMqtt(line, 2, { deviceId: imei, message: 'hello', at, model: 'EB-3', firmware })
  const report = { deviceId: imei, occurredAt: at, position: null, batteryPercent: 90, locked: true }
  sayMqtt(line, 3, { deviceId: imei, message: 'report', reports: [{ report }] })
  await becomesLocked()
  const subscriptions = mqttSubscriptions(imei).map((topic) => ({ topic, qos: 1 as const }))
  line.send({ cmd: 'subscribe', messageId: 4, subscriptions })
  return line
}

export function sayMqtt(line: MqttLine, messageId: number, message: MqttMessage): void {
  const { topic, payload } = encodeMqttToPlatform(message)
  line.send({ cmd: 'publish', topic, payload, qos: 1, messageId, dup: false, retain: false })
}

/** The manifest that a device is sent. */
export async function manifestFor(line: MqttLine) {
  for (;;) {
    const packet = await line.next()
    if (packet.cmd !== 'publish') continue
    const said = decodeMqttCommand({ topic: packet.topic, payload: packet.payload as Buffer })
    line.send({ cmd: 'puback', messageId: packet.messageId ?? 0 })
    if (said.message !== 'command' || said.command !== 'upgrade') continue
    const { url, sha256, signature, size } = said.fields as Record<string, string> & { size: number }
    return { id: said.id, url: url ?? '', sha256, signature: signature ?? '', size }
  }
}

/** One range of an artefact. */
export const fetchRange = (url: string, said: string): Promise<Response> =>
  fetch(url, { headers: { range: `bytes=${said}` } })

export async function bytesOf(answer: Response): Promise<Buffer> {
  expect(answer.status).toBe(206)
  return Buffer.from(await answer.arrayBuffer())
}
