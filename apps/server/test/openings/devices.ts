import { generate, type Packet } from 'mqtt-packet'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { jt808Vectors } from '@saddle/device-protocols/jt808/vectors.fixture.ts'
import { closeJt808Frame, openJt808Frame } from '@saddle/device-protocols/jt808/frames.ts'
import { omniVectors } from '@saddle/device-protocols/omni/vectors.fixture.ts'
import { mutate, type Draw, type Opening } from './opening.ts'

/** A device of the demo with what it shows to be let in: an outsider may have bought or opened one. */
export interface KnownDevice {
  readonly imei: string
  readonly protocol: DeviceProtocol
  readonly password: string | null
}

const omniFrames = omniVectors.map(({ frame }) => frame)
const omniSpice = Buffer.from('*#,.-019ANSV\0\n')

function omniOpening(draw: Draw, devices: readonly KnownDevice[]): Opening {
  const { imei } = draw.one(devices)
  const count = 1 + draw.below(20)
  const frames = Array.from({ length: count }, () => {
    const frame = draw.one(omniFrames)
    const known = draw.chance(0.7) ? frame.replace(/\d{15}/, imei) : frame
    return mutate(draw, Buffer.from(known, 'latin1'), omniSpice)
  })
  // Signed in, what follows is looked at closer.
  const signIn = draw.chance(0.5) ? [Buffer.from(`*SCOR,OM,${imei},Q0,412,80,28#\n`, 'latin1')] : []
  return { kind: 'omni', listener: 'omni', writes: [...signIn, Buffer.concat(frames)], ending: ending(draw), count }
}

const jt808Contents = jt808Vectors.map(({ frame }) => openJt808Frame(Buffer.from(frame, 'hex')))
const jt808Spice = Buffer.from('7e7d01020020400080ff', 'hex')

function jt808Opening(draw: Draw): Opening {
  const count = 1 + draw.below(20)
  const frames = Array.from({ length: count }, () => {
    const content = mutate(draw, draw.one(jt808Contents), jt808Spice)
    if (content.length < 13 || draw.chance(0.2)) return content
    // With a length and a checksum that fit, the body is looked at.
    const attributes = content.readUInt16BE(2)
    const headLength = (attributes & 0x4000 ? 17 : 12) + (attributes & 0x2000 ? 4 : 0)
    content.writeUInt16BE((attributes & 0xfc00) | (Math.max(0, content.length - headLength) & 1_023), 2)
    return closeJt808Frame(content)
  })
  return { kind: 'jt808', listener: 'jt808', writes: [Buffer.concat(frames)], ending: ending(draw), count }
}

function connectOf({ imei, password }: KnownDevice, version: 4 | 5): Packet {
  return {
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clean: true,
    clientId: imei,
    username: imei,
    password: Buffer.from(password ?? ''),
    keepalive: 60,
  }
}

function mqttPackets(imei: string): Packet[] {
  const qos0 = { cmd: 'publish', qos: 0, dup: false, retain: false } as const
  return [
    { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `saddle/v1/${imei}/down/command`, qos: 1 }] },
    { cmd: 'unsubscribe', messageId: 2, unsubscriptions: [`saddle/v1/${imei}/down/command`] },
    { ...qos0, topic: `saddle/v1/${imei}/up/report`, payload: Buffer.from('{"batteryPercent":80}') },
    { ...qos0, topic: `saddle/v1/${imei}/up/report`, payload: Buffer.from('{"at":1e309,"lat":1e309}') },
    { ...qos0, topic: `saddle/v1/${imei}/up/result`, payload: Buffer.from('null') },
    { ...qos0, topic: 'saddle/v1/x/up/report', payload: Buffer.alloc(0) },
    { ...qos0, qos: 1, messageId: 3, topic: `saddle/v1/${imei}/up/report`, payload: Buffer.from('{}') },
    { ...qos0, qos: 2, messageId: 4, topic: `saddle/v1/${imei}/up/report`, payload: Buffer.from('{}') },
    { cmd: 'pubrel', messageId: 4 },
    { cmd: 'puback', messageId: 9 },
    { cmd: 'pubrec', messageId: 9 },
    { cmd: 'pubcomp', messageId: 9 },
    { cmd: 'suback', messageId: 1, granted: [0] },
    { cmd: 'connack', sessionPresent: true, returnCode: 0, reasonCode: 0 },
    { cmd: 'pingreq' },
    { cmd: 'pingresp' },
    { cmd: 'disconnect' },
  ]
}

/** Packets that no library writes. */
const mqttOddities = [
  '82020001',
  'a2020001',
  '8203000100',
  'a203000100',
  '8200',
  '30ffffffff7f',
  '3000',
  'f000',
  '0000',
  '620200',
  '320100',
  '40020000',
]

function mqttOpening(draw: Draw, devices: readonly KnownDevice[]): Opening {
  const device = draw.one(devices)
  const version = draw.one([4, 5] as const)
  const sound = (packet: Packet): Buffer => generate(packet, { protocolVersion: version })
  const connect = sound(connectOf(device, version))
  if (draw.chance(0.35)) {
    const writes = [draw.chance(0.8) ? mutate(draw, connect) : connect.subarray(0, draw.below(connect.length))]
    return { kind: 'mqtt connect', listener: 'mqtt', writes, ending: ending(draw), count: 1 }
  }
  const packets = mqttPackets(device.imei)
  const follow = Array.from({ length: 1 + draw.below(4) }, () => {
    if (draw.chance(0.25)) return Buffer.from(draw.one(mqttOddities), 'hex')
    const bytes = sound(draw.one(packets))
    return draw.chance(0.7) ? mutate(draw, bytes) : bytes
  })
  const writes = draw.chance(0.5) ? [Buffer.concat([connect, ...follow])] : [connect, ...follow]
  return { kind: 'mqtt', listener: 'mqtt', writes, ending: ending(draw), count: 1 }
}

const ending = (draw: Draw): Opening['ending'] => (draw.chance(0.25) ? 'reset' : 'end')

/** Random bytes for any of the listeners, or another protocol than it speaks. */
function strayOpening(draw: Draw): Opening {
  const listener = draw.one(['http', 'omni', 'jt808', 'mqtt'] as const)
  const bytes = draw.one<() => Buffer>([
    () => draw.bytes(1 + draw.below(400)),
    () => Buffer.alloc(draw.below(4_000), draw.one(['*', '~', '\0', '\xff', ' '])),
    () => Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
    () => Buffer.from('160301020001000001fc0303', 'hex'),
    () => Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n'),
    () => Buffer.alloc(0),
  ])()
  return {
    kind: `stray ${listener}`,
    listener,
    writes: bytes.length === 0 ? [] : [bytes],
    ending: ending(draw),
    count: 1,
  }
}

export function deviceOpening(draw: Draw, devices: Readonly<Record<DeviceProtocol, readonly KnownDevice[]>>): Opening {
  return draw.one<() => Opening>([
    () => omniOpening(draw, devices.omni),
    () => omniOpening(draw, devices.omni),
    () => jt808Opening(draw),
    () => jt808Opening(draw),
    () => mqttOpening(draw, devices.mqtt),
    () => mqttOpening(draw, devices.mqtt),
    () => strayOpening(draw),
  ])()
}
