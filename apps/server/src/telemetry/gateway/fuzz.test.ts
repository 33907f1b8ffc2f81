import { connect } from 'node:net'
import { generate, type Packet } from 'mqtt-packet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { encodeJt808ToPlatform, type Jt808Body } from '@saddle/device-protocols/jt808/codec.ts'
import { encodeOmniToPlatform, type OmniBody } from '@saddle/device-protocols/omni/codec.ts'
import { createSeededRandom } from '#kit/random.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { field, openLine, positionAt, seedField, signIn, startField, type Field } from '#telemetry/field.fixture.ts'
import { modern, openTerminal, position, registration, signInTerminal } from './jt808/jt808.fixture.ts'
import { connectPacket, openMqtt } from './mqtt/mqtt.fixture.ts'
import { createDeviceSecrets } from './secrets.ts'

/** GATEWAY_FUZZ_SEED repeats a run. */
const seed = Number(process.env['GATEWAY_FUZZ_SEED'] ?? 20_261_122)
const linesPerProtocol = 400
const atOnce = 40

const { db, owner } = await testDatabase()
let site: Field

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
})
afterAll(async () => {
  await site.gateway.close()
})

const random = createSeededRandom(seed)
const below = (limit: number): number => Math.floor(random.fraction() * limit)
const spices = ['00', 'ff', '7e', '7d', '0a', '23', '2c', '2a', '820200', 'ffffffff', '80808001', '7d017e', '2e2d2e']

/** Turns, cuts, doubles and salts bytes; now and then it leaves them alone. */
function mutate(bytes: Buffer, pieces: readonly Buffer[]): Buffer {
  let out = Buffer.from(bytes)
  for (let step = below(5); step > 0; step -= 1) {
    const at = below(out.length + 1)
    const kind = below(5)
    if (kind <= 1 && out.length > 0) out[Math.min(at, out.length - 1)] = below(256)
    else if (kind === 2) out = Buffer.concat([out.subarray(0, at), out.subarray(at + below(9))])
    else if (kind === 3) {
      out = Buffer.concat([
        out.subarray(0, at),
        Buffer.from(spices[below(spices.length)] ?? '', 'hex'),
        out.subarray(at),
      ])
    } else out = Buffer.concat([out, pieces[below(pieces.length)] ?? Buffer.alloc(0)])
  }
  return out
}

/** A line that comes in where it is told how, says these things and hangs up; what it is told is not looked at. */
async function throwAt(
  port: number,
  { entry, said }: { entry: Buffer | null; said: readonly Buffer[] },
): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => void socket.once('close', resolve))
  socket.resume()
  await Promise.race([new Promise((resolve) => void socket.once('connect', resolve)), closed])
  if (entry !== null) {
    const answered = new Promise((resolve) => void socket.once('data', resolve))
    socket.write(entry)
    await Promise.race([answered, closed])
  }
  for (const bytes of said) socket.write(bytes)
  socket.end()
  await closed
}

type Target = { port: () => number; pieces: (imei: string) => Buffer[] }

const passwordOf = (imei: string): string =>
  createDeviceSecrets(site.kit.secrets).deviceSecret({ imei, secretGeneration: 0 })
const codeOf = (imei: string): string => createDeviceSecrets(site.kit.secrets).authCode({ imei, secretGeneration: 0 })

const omniFrames = (imei: string): Buffer[] => {
  const bodies: OmniBody[] = [
    signIn,
    positionAt(TEST_START_MS, 31.2, 120.7),
    { instruction: 'W0', alarm: 2 },
    { instruction: 'E0', code: 3 },
    { instruction: 'R0', operation: 0, key: 7, userId: 9, timestamp: 1_795_000_000 },
    { instruction: 'L0', result: 0, userId: 9, timestamp: 1_795_000_000 },
    { instruction: 'L1', result: 0, userId: 9, timestamp: 1_795_000_000, ridingTimeMin: 3 },
    { instruction: 'S6', batteryPercent: 80, locked: true, odometerM: 100 },
    { instruction: 'G0', firmware: '1.2', buildDate: '2026' },
    { instruction: 'L5', operation: 1, result: 0 },
  ]
  return bodies.map((body) =>
    Buffer.from(encodeOmniToPlatform({ header: 'SCOR', vendor: 'OM', deviceId: imei, ...body })),
  )
}

const jt808Frames = (imei: string): Buffer[] => {
  const bodies: Jt808Body[] = [
    registration('SD000001'),
    { message: 'authenticate', code: codeOf(imei), imei, firmware: 'V1' },
    { message: 'position', ...position(TEST_START_MS) },
    {
      message: 'positionBatch',
      blindArea: true,
      positions: [position(TEST_START_MS), position(TEST_START_MS - 1_000)],
    },
    { message: 'generalAnswer', answeredSerial: 0, answeredId: 0x8105, result: 0 },
    { message: 'vehicleControlAnswer', answeredSerial: 0, position: position(TEST_START_MS) },
    { message: 'timeQuery' },
    { message: 'parameters', answeredSerial: 0, parameters: [{ id: 0x29, number: 10 }] },
    { message: 'unknown', messageId: 0x0900, hex: 'f00102' },
  ]
  return bodies.flatMap((body, serial) => encodeJt808ToPlatform({ ...modern(imei), serial, ...body }))
}

const mqttPackets = (imei: string): Buffer[] => {
  const own = `saddle/v1/${imei}`
  const publish = (topic: string, body: object, qos: 0 | 1 = 1): Packet => ({
    cmd: 'publish',
    topic,
    payload: JSON.stringify(body),
    qos,
    messageId: 7,
    dup: false,
    retain: false,
  })
  const version = below(2) === 0 ? 4 : 5
  const packets: Packet[] = [
    { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `${own}/#`, qos: 1 }] },
    { cmd: 'unsubscribe', messageId: 2, unsubscriptions: [`${own}/config`] },
    publish(`${own}/up/report`, { at: TEST_START_MS, lat: 31.2, lng: 120.7 }),
    publish(`${own}/up/event`, { event: 'alarm', alarms: ['fall'] }),
    publish(`${own}/up/ack`, { id: '1', state: 'done' }),
    publish(`${own}/up/hello`, { model: 'X', firmware: '1', configVersion: 3 }),
    publish(`${own}/up/offline`, { reason: 'lost' }, 0),
    { cmd: 'puback', messageId: 1 },
    { cmd: 'pingreq' },
    { cmd: 'disconnect', reasonCode: 0 },
  ]
  return [connectPacket({ imei, password: passwordOf(imei), version }), ...packets].map((packet) =>
    generate(packet, { protocolVersion: version }),
  )
}

const targets: Record<'omni' | 'jt808' | 'mqtt', Target> = {
  omni: { port: () => site.gateway.ports.omni, pieces: omniFrames },
  jt808: { port: () => site.gateway.ports.jt808, pieces: jt808Frames },
  mqtt: { port: () => site.gateway.ports.mqtt, pieces: mqttPackets },
}

/** What lets a device in and is answered, at the head of its line. */
const entries = { omni: 2, jt808: 1, mqtt: 0 } as const

it.each(['omni', 'jt808', 'mqtt'] as const)(
  `%s: no line ends by an exception of ours, seed ${seed}`,
  async (protocol) => {
    // One for each line of a turn, so that none takes another one's place.
    const imeis: string[] = []
    for (let n = 0; n < atOnce; n += 1) imeis.push((await site.addVehicle(field.north, { protocol })).imei)
    const { port, pieces } = targets[protocol]
    for (let count = 0; count < linesPerProtocol; count += atOnce) {
      const many = imeis.map((imei) => {
        const whole = pieces(imei)
        const pick = (): Buffer => whole[below(whole.length)] ?? Buffer.alloc(0)
        const said = Array.from({ length: 1 + below(6) }, () => mutate(pick(), whole))
        // Half of them come in first, so that what is behind the sign-in is reached.
        return { entry: below(2) === 0 ? (whole[entries[protocol]] ?? null) : null, said }
      })
      await Promise.all(many.map((line) => throwAt(port(), line)))
    }
    await site.gateway.tick()
    const { values } = await site.metrics.closed.get()
    const faults = values.filter(({ labels, value }) => labels.reason === 'error' && value > 0)
    expect(faults).toEqual([])
    // Otherwise only the door was tried.
    const frames = (await site.metrics.frames.get()).values.filter(({ labels }) => labels.protocol === protocol)
    expect(frames.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThan(50)
  },
  60_000,
)

it('after all that each protocol lets a vehicle in', async () => {
  const omni = await openLine({ port: site.gateway.ports.omni, imei: (await site.addVehicle()).imei })
  omni.say(signIn, { instruction: 'W0', alarm: 2 })
  expect(await omni.next()).toMatchObject({ instruction: 'ack' })
  omni.end()
  const terminal = await site.addVehicle(field.north, { protocol: 'jt808' })
  const line = await openTerminal({ port: site.gateway.ports.jt808, head: modern(terminal.imei) })
  await signInTerminal(line, terminal.number)
  line.socket.destroy()
  const { imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const mqtt = await openMqtt({ port: site.gateway.ports.mqtt })
  mqtt.send(connectPacket({ imei, password: passwordOf(imei) }))
  expect(await mqtt.next()).toMatchObject({ cmd: 'connack', returnCode: 0 })
  mqtt.end()
})
