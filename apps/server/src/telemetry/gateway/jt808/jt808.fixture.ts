import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import {
  createJt808Splitter,
  decodeJt808Command,
  encodeJt808ToPlatform,
  jt808DownIds,
  jt808Result,
  readJt808Packet,
  type Jt808Body,
  type Jt808Command,
  type Jt808Head,
  type Jt808Packet,
  type Jt808Position,
} from '@saddle/device-protocols/jt808/codec.ts'
import { expect } from 'vitest'
import { eventually } from '#telemetry/field.fixture.ts'

/** A terminal's side of the socket: the test says every message itself. */
export async function openTerminal(options: { port: number; head: Omit<Jt808Head, 'serial'>; socket?: Socket }) {
  const { port, head, socket = connect({ port, host: '127.0.0.1', noDelay: true }) } = options
  const splitter = createJt808Splitter()
  const received: Jt808Command[] = []
  const packets: Jt808Packet[] = []
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => void socket.on('close', () => resolve()))
  socket.on('data', (chunk) => {
    for (const content of splitter.push(chunk)) {
      const packet = readJt808Packet(content)
      packets.push(packet)
      received.push(decodeJt808Command(packet))
    }
  })
  if (socket.connecting) await once(socket, 'connect')
  let serial = 0
  let taken = 0
  return {
    socket,
    received,
    /** The same as they came, those in parts too. */
    packets,
    closed,
    say(body: Jt808Body, maxPartLength?: number) {
      const own = serial
      const options = maxPartLength === undefined ? {} : { maxPartLength }
      const frames = encodeJt808ToPlatform({ ...head, serial, ...body }, options)
      serial += frames.length
      for (const frame of frames) socket.write(frame)
      return own
    },
    async next(): Promise<Jt808Command> {
      await eventually(() => expect(received.length).toBeGreaterThan(taken))
      const message = received[taken]
      taken += 1
      if (message === undefined) throw new Error('no message')
      return message
    },
  }
}
export type Terminal = Awaited<ReturnType<typeof openTerminal>>

export const modern = (imei: string): Omit<Jt808Head, 'serial'> => ({ headerVersion: 2019, deviceId: `00000${imei}` })

export const registration = (plate: string, terminalId = 'T1'): Jt808Body => ({
  message: 'register',
  layout: 2019,
  provinceId: 32,
  cityId: 500,
  manufacturer: 'SADL',
  model: 'SD-T1',
  terminalId,
  plateColour: 0,
  plate,
})

/** Registers, shows the code that it got, and returns it. */
export async function signInTerminal(line: Terminal, number: string): Promise<string> {
  const serial = line.say(registration(number))
  const answer = await line.next()
  expect(answer).toMatchObject({ message: 'registerAnswer', answeredSerial: serial, result: 0 })
  const code = answer.message === 'registerAnswer' ? (answer.code ?? '') : ''
  line.say({ message: 'authenticate', code, imei: '', firmware: 'V1.2' })
  expect(await line.next()).toMatchObject({ message: 'generalAnswer', answeredId: 0x0102, result: 0 })
  return code
}

export const position = (timeUtc: number, locked = true, changes: Partial<Jt808Position> = {}): Jt808Position => ({
  alarmBits: 0,
  statusBits: 2,
  lat: 31.26,
  lng: 120.72,
  altitudeM: 5,
  speedKmh: 0,
  headingDeg: 90,
  timeUtc,
  bike: { batteryPercent: 64, voltageV: 48.2, locked, charging: false, compartmentOpen: false },
  ...changes,
})

/** Each next part of the upgrade that a terminal is sent, in order. */
export function partsFor({
  packets,
}: Terminal): () => Promise<Jt808Packet & { part: { total: number; index: number } }> {
  let taken = 0
  return async () => {
    const parts = () => packets.filter(({ messageId }) => messageId === jt808DownIds.upgrade)
    await eventually(() => expect(parts().length).toBeGreaterThan(taken))
    const packet = parts()[taken]
    taken += 1
    if (packet?.part === undefined) throw new Error('no part')
    return { ...packet, part: packet.part }
  }
}

export const answerPart = (line: Terminal, { serial }: Jt808Packet) =>
  line.say({
    message: 'generalAnswer',
    answeredSerial: serial,
    answeredId: jt808DownIds.upgrade,
    result: jt808Result.success,
  })
