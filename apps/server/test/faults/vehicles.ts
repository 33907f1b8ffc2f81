import { connect, type Socket } from 'node:net'
import { generate, parser as createParser } from 'mqtt-packet'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import {
  createJt808Splitter,
  decodeJt808Command,
  encodeJt808ToPlatform,
  readJt808Packet,
  type Jt808Body,
} from '@saddle/device-protocols/jt808/codec.ts'
import { decodeOmniCommand, encodeOmniToPlatform, type OmniBody } from '@saddle/device-protocols/omni/codec.ts'
import { createOmniSplitter } from '@saddle/device-protocols/omni/frames.ts'
import type { DeviceSecrets } from '#telemetry/gateway/secrets.ts'
import type { GatewayAddress } from './nodes.ts'
import { startTalking } from './talking.ts'

const secondMs = 1_000
/** Reports that may wait for their answer. */
const maxUnanswered = 10
const patienceMs = 4_000
const tickMs = 100
/** New reports of a tick: their times are seconds, and must not overtake the clock. */
const newPerTick = 2

export interface Vehicle {
  readonly protocol: DeviceProtocol
  readonly imei: string
  readonly vehicleId: number
  readonly number: string
}

/** What a vehicle has said: each report by its device time, which no other one has. */
export interface Speaker extends Vehicle {
  /** What no two reports of a vehicle have in common. */
  readonly knownBy: 'time' | 'odometer'
  /** Device times in ms, or odometers in m. */
  readonly acknowledged: number[]
  readonly unanswered: number[]
}

/** One connection: says reports, and tells which of them the platform has answered. */
interface Talk {
  say(at: number): void
  end(): void
}

interface TalkOptions {
  readonly vehicle: Vehicle
  readonly socket: Socket
  readonly secrets: DeviceSecrets
  readonly codes: Map<string, string>
  readonly onReady: () => void
  readonly onAnswered: (at: number) => void
}

/** Speaks until it is stopped: sends again what was not answered, over a new connection to the next gateway when one breaks. */
export function startSpeaker(options: {
  readonly vehicle: Vehicle
  readonly gateways: readonly GatewayAddress[]
  readonly secrets: DeviceSecrets
  readonly firstAt: number
}) {
  const { vehicle, gateways, secrets, firstAt } = options
  const speaker: Speaker = { ...vehicle, knownBy: 'time', acknowledged: [], unanswered: [] }
  const codes = new Map<string, string>()
  let nextAt = firstAt
  let isAsking = true
  let turn = vehicle.vehicleId

  const talkOnce = (isStopped: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      turn += 1
      const gateway = gateways[turn % gateways.length]
      const port = gateway?.devicePorts[vehicle.protocol] ?? 0
      const socket = connect({ port, host: gateway?.host, noDelay: true })
      let heardAt = performance.now()
      let isReady = false
      const watch = setInterval(() => {
        if (isStopped() || performance.now() - heardAt > patienceMs) socket.destroy()
        else if (isReady) fill()
      }, tickMs)
      const fill = (): void => {
        for (let n = 0; n < newPerTick; n += 1) {
          if (!isAsking || speaker.unanswered.length >= maxUnanswered || nextAt > Date.now()) return
          speaker.unanswered.push(nextAt)
          talk.say(nextAt)
          nextAt += secondMs
        }
      }
      const talk = talks[vehicle.protocol]({
        vehicle,
        socket,
        secrets,
        codes,
        onReady: () => {
          heardAt = performance.now()
          isReady = true
          for (const at of speaker.unanswered) talk.say(at)
          fill()
        },
        onAnswered: (at) => {
          heardAt = performance.now()
          const place = speaker.unanswered.indexOf(at)
          if (place >= 0) speaker.acknowledged.push(...speaker.unanswered.splice(place, 1))
        },
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(watch)
        resolve()
      })
    })
  const talking = startTalking(talkOnce)
  return {
    speaker,
    /** Says nothing new; what was not answered is still said again. */
    quieten: () => void (isAsking = false),
    stop: talking.stop,
  }
}

const talks: Record<DeviceProtocol, (options: TalkOptions) => Talk> = {
  omni: talkOmni,
  jt808: talkJt808,
  mqtt: talkMqtt,
}

/** Only alarms and the like are answered; in the dialect whose frames have a time each is stored by itself. */
function talkOmni({ vehicle, socket, onReady, onAnswered }: TalkOptions): Talk {
  const splitter = createOmniSplitter()
  /** The answer names no message, so that one waits for it at a time. */
  const waiting: number[] = []
  const head = { header: 'CMDR', vendor: 'OM', deviceId: vehicle.imei } as const
  const say = (message: OmniBody, sentAt: number): void =>
    void socket.write(encodeOmniToPlatform({ ...head, sentAt, ...message }))
  socket.on('data', (chunk) => {
    for (const frame of splitter.push(chunk)) {
      const command = decodeOmniCommand(frame)
      const at = command.instruction === 'ack' && command.of === 'W0' ? waiting.shift() : undefined
      if (at === undefined) continue
      onAnswered(at)
      sayFirst()
    }
  })
  const sayFirst = (): void => {
    const [at] = waiting
    if (at !== undefined) say({ instruction: 'W0', alarm: 1 }, at)
  }
  socket.once('connect', () => {
    say({ instruction: 'Q0', voltageV: 50, batteryPercent: 80, signal: 28 }, Math.floor(Date.now() / 1_000) * 1_000)
    onReady()
  })
  return {
    say: (at) => {
      waiting.push(at)
      if (waiting.length === 1) sayFirst()
    },
    end: () => socket.destroy(),
  }
}

function talkJt808({ vehicle, socket, codes, onReady, onAnswered }: TalkOptions): Talk {
  const splitter = createJt808Splitter()
  const said = new Map<number, number>()
  let serial = 0
  const say = (body: Jt808Body): number => {
    const own = serial
    const head = { headerVersion: 2019, deviceId: `00000${vehicle.imei}` } as const
    const frames = encodeJt808ToPlatform({ ...head, serial, ...body })
    serial += frames.length
    for (const frame of frames) socket.write(frame)
    return own
  }
  const show = (code: string): void => void say({ message: 'authenticate', code, imei: '', firmware: 'V1.2' })
  socket.on('data', (chunk) => {
    for (const content of splitter.push(chunk)) {
      const command = decodeJt808Command(readJt808Packet(content))
      if (command.message === 'registerAnswer' && command.result === 0) {
        codes.set(vehicle.imei, command.code ?? '')
        show(command.code ?? '')
      } else if (command.message === 'generalAnswer' && command.result === 0) {
        if (command.answeredId === 0x0102) onReady()
        const at = said.get(command.answeredSerial)
        if (command.answeredId === 0x0200 && at !== undefined) onAnswered(at)
      }
    }
  })
  socket.once('connect', () => {
    const code = codes.get(vehicle.imei)
    if (code !== undefined) return show(code)
    const maker = { provinceId: 32, cityId: 500, manufacturer: 'SADL', model: 'SD-T1', terminalId: 'T1' }
    say({ message: 'register', layout: 2019, ...maker, plateColour: 0, plate: vehicle.number })
  })
  const bike = { batteryPercent: 64, voltageV: 48.2, locked: true, charging: false, compartmentOpen: false }
  const place = {
    alarmBits: 0,
    statusBits: 2,
    lng: 120.72,
    altitudeM: 5,
    speedKmh: 0,
    headingDeg: 90,
    bike,
  }
  return {
    say(at) {
      // To and fro, because what says nothing new is answered without a row; by its time, because a report is repeated as it was.
      const lat = (at / secondMs) % 2 === 0 ? 31.26 : 31.261
      said.set(say({ message: 'position', timeUtc: at, lat, ...place }), at)
    },
    end: () => socket.destroy(),
  }
}

function talkMqtt({ vehicle, socket, secrets, onReady, onAnswered }: TalkOptions): Talk {
  const { imei } = vehicle
  const parser = createParser({ protocolVersion: 4 })
  const said = new Map<number, number>()
  let id = 0
  parser.on('packet', (packet) => {
    if (packet.cmd === 'connack' && packet.returnCode === 0) onReady()
    const at = packet.cmd === 'puback' ? said.get(packet.messageId ?? 0) : undefined
    if (at !== undefined) onAnswered(at)
  })
  socket.on('data', (chunk) => void parser.parse(chunk))
  const login = {
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId: imei,
    keepalive: 60,
    username: imei,
  } as const
  const password = Buffer.from(secrets.deviceSecret({ imei, secretGeneration: 0 }))
  socket.once('connect', () => void socket.write(generate({ cmd: 'connect', ...login, password })))
  return {
    say: (at) => {
      id = (id % 60_000) + 1
      said.set(id, at)
      const payload = Buffer.from(JSON.stringify({ at, batteryPercent: 60 }))
      const topic = `saddle/v1/${imei}/up/report`
      socket.write(generate({ cmd: 'publish', topic, payload, qos: 1, messageId: id, dup: false, retain: false }))
    },
    end: () => socket.destroy(),
  }
}
