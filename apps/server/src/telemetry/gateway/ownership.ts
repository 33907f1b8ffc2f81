import type { Leases, SignIn } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { DeviceSession } from './session.ts'
import { deviceConnected } from './topics.ts'

const vehiclesAtOnce = 1_000
/** Leases that were lost without a message (the bus may lose them) are noticed after this time. */
const lookEveryMs = 30_000
const retryMs = 1_000

/** Which gateway has the connection of a vehicle, told to the others. */
export interface Ownership {
  /** A session has signed in: the vehicle is this gateway's, and sessions that others have of it end. */
  signedIn(vehicleId: number, address: string): void
  /** Ends sessions whose vehicle is another gateway's by now; called with every tick. */
  tick(): Promise<void>
  close(): Promise<void>
}

export interface OwnershipOptions {
  readonly kit: Pick<Kit, 'bus' | 'clock' | 'log'>
  readonly gatewayId: string
  /** Null on a single server, which has every connection. */
  readonly leases: Leases | null
  readonly sessionOf: (vehicleId: number) => DeviceSession | undefined
  readonly vehicleIds: () => Iterable<number>
}

/**
 * On a single server every vehicle that has signed in is this gateway's. In a cluster it is once the lease is written:
 * then the others are told, and the vehicle is given its commands. Vehicles that sign in together are written together.
 */
export function createOwnership(options: OwnershipOptions): Ownership {
  const { kit, gatewayId, leases, sessionOf, vehicleIds } = options
  if (leases === null) {
    return {
      signedIn: (vehicleId) => kit.bus.publish(deviceConnected, { gatewayId, vehicleId }),
      tick: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
  }
  const waiting = new Map<number, SignIn>()
  let taking: Promise<void> | null = null
  let retryAt = Number.NEGATIVE_INFINITY
  let lookAt = kit.clock.now() + lookEveryMs

  const takeNext = async (): Promise<void> => {
    const batch = [...waiting.values()].slice(0, vehiclesAtOnce)
    for (const { vehicleId } of batch) if (sessionOf(vehicleId) === undefined) waiting.delete(vehicleId)
    const signedIn = batch.filter(({ vehicleId }) => waiting.has(vehicleId))
    if (signedIn.length === 0) return
    const newerElsewhere = new Set(await leases.take(gatewayId, signedIn))
    for (const one of signedIn) {
      const { vehicleId } = one
      // It may have signed in once more meanwhile.
      const isLast = waiting.get(vehicleId) === one
      if (isLast) waiting.delete(vehicleId)
      if (newerElsewhere.has(vehicleId)) {
        if (isLast) sessionOf(vehicleId)?.close('replaced')
        continue
      }
      kit.bus.publish(deviceConnected, { gatewayId, vehicleId })
      sessionOf(vehicleId)?.dispatch()
    }
  }
  const takeAll = async (): Promise<void> => {
    // Those that sign in within the same moment go along.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.size > 0) await takeNext()
  }
  const take = (): void => {
    if (kit.clock.now() < retryAt) return
    taking ??= takeAll()
      .catch((err: unknown) => {
        retryAt = kit.clock.now() + retryMs
        kit.log.error({ err }, 'the leases of vehicles could not be written')
      })
      .finally(() => {
        taking = null
        if (waiting.size > 0) take()
      })
  }
  const endLost = async (): Promise<void> => {
    const held = [...vehicleIds()].filter((vehicleId) => !waiting.has(vehicleId))
    for (let from = 0; from < held.length; from += vehiclesAtOnce) {
      const lost = await leases.lost(gatewayId, held.slice(from, from + vehiclesAtOnce))
      // One that signed in here again while the question was under way is not lost.
      for (const vehicleId of lost) if (!waiting.has(vehicleId)) sessionOf(vehicleId)?.close('replaced')
    }
  }
  const onGap = (): void => {
    lookAt = Number.NEGATIVE_INFINITY
    for (const vehicleId of vehicleIds()) sessionOf(vehicleId)?.dispatch()
  }
  const stop = kit.bus.onGap(onGap)

  return {
    signedIn(vehicleId, address) {
      waiting.delete(vehicleId)
      waiting.set(vehicleId, { vehicleId, address, at: kit.clock.now() })
      take()
    },
    async tick() {
      if (waiting.size > 0) take()
      if (kit.clock.now() < lookAt) return
      lookAt = kit.clock.now() + lookEveryMs
      await endLost()
    },
    async close() {
      stop()
      waiting.clear()
      await taking
    },
  }
}
