import { connect } from 'node:net'
import { generate, parser as createParser, type Packet } from 'mqtt-packet'
import { parseMqttTopic } from '@saddle/device-protocols/mqtt/codec.ts'
import type { DeviceSecrets } from '#telemetry/gateway/secrets.ts'
import type { GatewayAddress } from './nodes.ts'
import { startTalking } from './talking.ts'
import type { Speaker, Vehicle } from './vehicles.ts'

const patienceMs = 4_000
const reportEveryMs = 1_000

interface Waiting {
  readonly payload: Buffer
  /** Of a report: the odometer that no other report of the vehicle has. Null in an answer to a command. */
  readonly odometerM: number | null
}

/** What a vehicle keeps while its connection is away. */
interface Memory {
  /** Messages that the platform has not acknowledged, by their device time. */
  readonly waiting: Map<number, Waiting>
  /** Odometers of the reports that it has. */
  readonly acknowledged: number[]
  readonly carriedOut: Set<string>
  isLocked: boolean
  lastAt: number
  odometerM: number
}

/** An MQTT vehicle that carries out every command once, and reports its place and lock, until it is stopped. */
export function startObeying(options: {
  readonly vehicle: Vehicle
  readonly place: { readonly lat: number; readonly lng: number }
  readonly gateways: readonly GatewayAddress[]
  readonly secrets: DeviceSecrets
}) {
  const { vehicle, place, gateways, secrets } = options
  const memory: Memory = {
    waiting: new Map(),
    acknowledged: [],
    carriedOut: new Set(),
    isLocked: true,
    lastAt: 0,
    odometerM: 0,
  }
  let isQuiet = false
  let turn = vehicle.vehicleId
  const keep = (content: object, odometerM: number | null): number => {
    const at = Math.max(Date.now(), memory.lastAt + 1)
    memory.lastAt = at
    memory.waiting.set(at, { odometerM, payload: Buffer.from(JSON.stringify({ at, ...content })) })
    return at
  }
  // Known by its odometer, so that a report that was stored once more under another time is found, too.
  const keepReport = (): number => {
    memory.odometerM += 1
    const { odometerM, isLocked: locked } = memory
    return keep({ ...place, batteryPercent: 80, locked, odometerM }, odometerM)
  }

  const talkOnce = (isStopped: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      turn += 1
      const gateway = gateways[turn % gateways.length]
      const socket = connect({ port: gateway?.devicePorts.mqtt ?? 0, host: gateway?.host })
      const line = createLine({
        vehicle,
        secrets,
        memory,
        write: (bytes) => void socket.write(bytes),
        keep,
        keepReport,
      })
      let saidAt = 0
      const beat = setInterval(() => {
        const nowMs = performance.now()
        if (isStopped() || nowMs - line.heardAt() > patienceMs) socket.destroy()
        else if (line.isOpen() && !isQuiet && nowMs - saidAt > reportEveryMs) {
          saidAt = nowMs
          line.say(keepReport())
        }
      }, 100)
      socket.once('connect', line.begin)
      socket.on('data', line.take)
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(beat)
        resolve()
      })
    })
  const talking = startTalking(talkOnce)
  const speaker: Speaker = {
    ...vehicle,
    acknowledged: memory.acknowledged,
    knownBy: 'odometer',
    get unanswered() {
      return [...memory.waiting.keys()]
    },
  }
  return {
    speaker,
    /** Says nothing new but answers to commands. */
    quieten: () => void (isQuiet = true),
    stop: talking.stop,
  }
}

interface LineOptions {
  readonly vehicle: Vehicle
  readonly secrets: DeviceSecrets
  readonly memory: Memory
  readonly write: (bytes: Buffer) => void
  /** Keeps an answer to a command until it is acknowledged; returns its device time. */
  readonly keep: (content: object, odometerM: null) => number
  readonly keepReport: () => number
}

/** One connection: what was not acknowledged is said again first. */
function createLine({ vehicle, secrets, memory, write, keep, keepReport }: LineOptions) {
  const { imei } = vehicle
  const parser = createParser({ protocolVersion: 4 })
  const said = new Map<number, number>()
  let id = 0
  let heardAt = performance.now()
  let isOpen = false
  const send = (packet: Packet): void => write(generate(packet))
  const say = (at: number): void => {
    const message = memory.waiting.get(at)
    if (message === undefined) return
    id = (id % 60_000) + 1
    said.set(id, at)
    const topic = `saddle/v1/${imei}/up/${message.odometerM === null ? 'ack' : 'report'}`
    send({ cmd: 'publish', topic, payload: message.payload, qos: 1, messageId: id, dup: false, retain: false })
  }
  const carryOut = (payload: Buffer): void => {
    const command = JSON.parse(payload.toString()) as { readonly id: string; readonly command: string }
    if (!memory.carriedOut.has(command.id)) {
      if (command.command === 'lock') memory.isLocked = true
      if (command.command === 'unlock') memory.isLocked = false
    }
    memory.carriedOut.add(command.id)
    say(keep({ id: command.id, state: 'done' }, null))
    say(keepReport())
  }
  parser.on('packet', (packet) => {
    heardAt = performance.now()
    if (packet.cmd === 'connack' && packet.returnCode === 0) {
      isOpen = true
      send({ cmd: 'subscribe', messageId: 60_001, subscriptions: [{ topic: `saddle/v1/${imei}/#`, qos: 1 }] })
      for (const at of memory.waiting.keys()) say(at)
    } else if (packet.cmd === 'puback') {
      const at = said.get(packet.messageId ?? 0)
      const odometerM = at === undefined ? undefined : memory.waiting.get(at)?.odometerM
      if (at !== undefined) memory.waiting.delete(at)
      if (typeof odometerM === 'number') memory.acknowledged.push(odometerM)
    } else if (packet.cmd === 'publish') {
      if (packet.messageId !== undefined) send({ cmd: 'puback', messageId: packet.messageId })
      if (parseMqttTopic(packet.topic).kind === 'command') carryOut(packet.payload as Buffer)
    }
  })
  return {
    say,
    take: (bytes: Buffer): void => void parser.parse(bytes),
    heardAt: () => heardAt,
    isOpen: () => isOpen,
    begin: (): void => {
      const password = Buffer.from(secrets.deviceSecret({ imei, secretGeneration: 0 }))
      send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: imei,
        keepalive: 60,
        username: imei,
        password,
      })
    },
  }
}
