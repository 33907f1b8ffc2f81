import { expect } from 'vitest'
import { readJt808Upgrade, type Jt808Packet } from '@saddle/device-protocols/jt808/codec.ts'
import type { OmniCommandBody } from '@saddle/device-protocols/omni/codec.ts'
import { openSigned } from '@saddle/device-protocols/image.ts'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { Kit } from '#kit/kit.ts'
import { heartbeat, openLine, signIn } from '#telemetry/field.fixture.ts'
import {
  answerPart,
  modern,
  openTerminal,
  partsFor,
  position,
  signInTerminal,
} from '#telemetry/gateway/jt808/jt808.fixture.ts'
import { testArtefactKey } from '#test/upgrades.ts'
import { bytesOf, fetchRange, manifestFor, mqttOnline } from './mqttUpgrade.fixture.ts'

export type Ports = Readonly<Record<DeviceProtocol, number>>
export type Vehicle = { readonly imei: string; readonly number: string; readonly becomesLocked: () => Promise<void> }

/** A device in the middle of an upgrade, over one line after the other. */
export type Pulling = {
  /** Comes on the line and is known to be locked, without an upgrade. */
  greet(ports: Ports): Promise<void>
  /** Comes on the line and is told of its upgrade. */
  open(ports: Ports): Promise<void>
  /** Has so many packages more, or all of them. */
  pull(more: number): Promise<void>
  /** Asks for the next package and does not wait for it. */
  ask(): void
  close(): void
  /** The image that it has put together; null where it is not what was signed. */
  image(): Buffer | null
}

const firmware = 'V1.2'

export function omniPulling({ imei, becomesLocked }: Vehicle): Pulling {
  const parts: Buffer[] = []
  let packages = 0
  let line: Awaited<ReturnType<typeof openLine>>
  const next = async <I extends 'U0' | 'U1'>(instruction: I) => {
    for (;;) {
      const frame = await line.next()
      if (frame.instruction === instruction) return frame as Extract<OmniCommandBody, { instruction: I }>
    }
  }
  const online = async ({ omni }: Ports): Promise<void> => {
    line = await openLine({ port: omni, imei })
    line.say(signIn, heartbeat(true))
    await becomesLocked()
  }
  const ask = (): void => line.say({ instruction: 'U1', packet: parts.length, deviceType: '8A' })
  return {
    async greet(ports) {
      await online(ports)
      line.end()
      await line.closed
    },
    async open(ports) {
      await online(ports)
      packages = (await next('U0')).packages
    },
    async pull(more) {
      const until = Math.min(packages, parts.length + more)
      while (parts.length < until) {
        ask()
        const { hex } = await next('U1')
        parts.push(Buffer.from(hex, 'hex'))
      }
    },
    ask,
    close: () => line.end(),
    image: () => openSigned(testArtefactKey, Buffer.concat(parts)),
  }
}

export function jt808Pulling(kit: Pick<Kit, 'clock'>, { imei, number, becomesLocked }: Vehicle): Pulling {
  const parts: Buffer[] = []
  let code = ''
  let line: Awaited<ReturnType<typeof openTerminal>>
  let nextPart: ReturnType<typeof partsFor>
  let unanswered: Jt808Packet | null = null
  let total = Infinity
  const connect = async ({ jt808 }: Ports): Promise<void> => {
    line = await openTerminal({ port: jt808, head: modern(imei) })
    nextPart = partsFor(line)
    unanswered = null
  }
  const ask = (): void => {
    if (unanswered !== null) answerPart(line, unanswered)
    unanswered = null
  }
  return {
    async greet(ports) {
      await connect(ports)
      code = await signInTerminal(line, number)
      line.say({ message: 'position', ...position(kit.clock.now()) })
      await becomesLocked()
      line.socket.destroy()
      await line.closed
    },
    async open(ports) {
      await connect(ports)
      line.say({ message: 'authenticate', code, imei: '', firmware })
    },
    async pull(more) {
      const until = parts.length + more
      while (parts.length < Math.min(until, total)) {
        ask()
        const packet = await nextPart()
        total = packet.part.total
        // A new line may send the last part once more, and no part before it.
        expect([parts.length, parts.length + 1]).toContain(packet.part.index)
        parts[packet.part.index - 1] = packet.body
        unanswered = packet
      }
    },
    ask,
    close: () => line.socket.destroy(),
    image: () => openSigned(testArtefactKey, readJt808Upgrade(2019, Buffer.concat(parts)).data),
  }
}

const rangeBytes = 16_384

export function mqttPulling(kit: Pick<Kit, 'clock' | 'secrets'>, { imei, becomesLocked }: Vehicle): Pulling {
  const parts: Buffer[] = []
  let line: Awaited<ReturnType<typeof mqttOnline>>
  let manifest: Awaited<ReturnType<typeof manifestFor>>
  const online = async ({ mqtt }: Ports): Promise<void> => {
    line = await mqttOnline({ kit, port: mqtt, imei, firmware, becomesLocked })
  }
  const range = (): Promise<Response> => {
    const from = parts.length * rangeBytes
    return fetchRange(manifest.url, `${from}-${from + rangeBytes - 1}`)
  }
  return {
    async greet(ports) {
      await online(ports)
      line.end()
      await line.closed
    },
    async open(ports) {
      await online(ports)
      manifest = await manifestFor(line)
    },
    async pull(more) {
      const until = Math.min(Math.ceil(manifest.size / rangeBytes), parts.length + more)
      while (parts.length < until) parts.push(await bytesOf(await range()))
    },
    // The process ends before or after it answers.
    ask: () => void range().catch(() => {}),
    close: () => line.end(),
    image: () => Buffer.concat(parts),
  }
}
