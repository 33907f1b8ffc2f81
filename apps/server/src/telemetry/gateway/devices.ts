import { minuteMs } from '@saddle/contract/time.ts'
import type { KnownDevice, ModelChangedMessage, Vehicles } from '#fleet/public.ts'
import type { Clock } from '#kit/clock.ts'
import { newMotion, type Motion } from '../reports/motion.ts'
import { newStanding, type Standing } from '../reports/standing.ts'
import { RecentFrames } from '../reports/recent.ts'

/** A registered device with what the gateway caches of its latest reports, over all of its connections. */
export type Device = KnownDevice & {
  readonly recent: RecentFrames
  readonly motion: Motion
  readonly standing: Standing
  readonly home: Home
}

/** The networks of a device, over all of its connections. */
export type Home = {
  /** Its home network; null before its first connection. */
  network: string | null
  /** The network of its latest connection. */
  address: string | null
  /** When two networks last claimed it. */
  contestedAt: number
}

export type DeviceDirectory = {
  /** The registered device of this IMEI or terminal number; null when it is not registered. */
  find(name: string): Promise<Device | null>
  /** The device was changed or removed: the next look-up queries the database. */
  forget(names: readonly string[]): void
  /** The same for all devices. */
  forgetAll(): void
  /** The same for all devices of a model. */
  forgetModel(changed: ModelChangedMessage): void
}

const newHome = (): Home => ({ network: null, address: null, contestedAt: Number.NEGATIVE_INFINITY })

export const isOfModel = ({ model, protocol }: Device, changed: ModelChangedMessage): boolean =>
  model === changed.model && protocol === changed.protocol

const maxRemembered = 200_000
/** A cached device is read again after this time, even when no event said that it changed. */
const rememberedForMs = 10 * minuteMs
const maxNamesAtOnce = 1_000

type Entry = { device: Device; until: number }
type Question = { name: string; answer: (device: Device | null) => void; fail: (error: unknown) => void }

/**
 * Caches the devices that have connected. Names that are looked up at the same time become one query: after a failure of
 * the mobile network a whole city signs in within seconds.
 */
export function createDeviceDirectory(options: {
  vehicles: Pick<Vehicles, 'findDevices'>
  clock: Clock
}): DeviceDirectory {
  const { vehicles, clock } = options
  const known = new Map<string, Entry>()
  let asked: Question[] = []

  const remember = (name: string, found: KnownDevice): Device => {
    const before = known.get(name)?.device
    const device: Device = {
      ...found,
      recent: before?.vehicleId === found.vehicleId ? before.recent : new RecentFrames(),
      motion: before?.vehicleId === found.vehicleId ? before.motion : newMotion(),
      standing: before?.vehicleId === found.vehicleId ? before.standing : newStanding(),
      home: before?.vehicleId === found.vehicleId ? before.home : newHome(),
    }
    known.delete(name)
    known.set(name, { device, until: clock.now() + rememberedForMs })
    const oldest = known.keys().next().value
    if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest)
    return device
  }

  const ask = async (questions: readonly Question[]): Promise<void> => {
    try {
      const found = await vehicles.findDevices([...new Set(questions.map(({ name }) => name))])
      const byName = new Map(found.flatMap((device) => [device.imei, device.terminalNumber].map((n) => [n, device])))
      const answers = new Map<string, Device | null>()
      for (const { name, answer } of questions) {
        const device = byName.get(name)
        if (!answers.has(name)) answers.set(name, device === undefined ? null : remember(name, device))
        answer(answers.get(name) ?? null)
      }
    } catch (error) {
      for (const { fail } of questions) fail(error)
    }
  }
  const askAll = (): void => {
    const questions = asked
    asked = []
    for (let at = 0; at < questions.length; at += maxNamesAtOnce) void ask(questions.slice(at, at + maxNamesAtOnce))
  }

  return {
    find(name) {
      const entry = known.get(name)
      if (entry !== undefined && entry.until > clock.now()) return Promise.resolve(entry.device)
      return new Promise((answer, fail) => {
        if (asked.length === 0) setImmediate(askAll)
        asked.push({ name, answer, fail })
      })
    },
    forgetAll() {
      for (const entry of known.values()) entry.until = 0
    },
    forgetModel(changed) {
      for (const entry of known.values()) if (isOfModel(entry.device, changed)) entry.until = 0
    },
    forget(names) {
      for (const name of names) {
        const entry = known.get(name)
        if (entry !== undefined) entry.until = 0
      }
    },
  }
}
