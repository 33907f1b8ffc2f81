import { setTimeout as sleep } from 'node:timers/promises'
import { createRiderClient } from '@saddle/client/riderClient.ts'
import { busyStates } from '@saddle/contract/riding/orders.ts'
import { rideEndpoints, type Ride, type RideState } from '@saddle/contract/riding/rides.ts'
import { createAsking } from './asking.ts'
import type { ApiAddress } from './nodes.ts'
import type { Staff } from './staff.ts'

const pauseMs = 200
const timeoutMs = 5_000
/** A vehicle that was away is found by the sweeper; until then its ride waits. */
const finishWithinMs = 60_000

export interface Rider {
  readonly id: number
  readonly phone: string
}

/** The last that was told of a ride. */
export interface LastOfRide {
  readonly phone: string
  readonly state: RideState
  readonly chargedCents: number | null
}

const onTheWay: ReadonlySet<RideState> = new Set([...busyStates, 'pausing', 'resuming'])
export const isOver = (state: RideState): boolean => !onTheWay.has(state)

/** An application whose riders take one ride each, one after another on every vehicle: top up, unlock, end, pay. */
export function startRides(options: {
  readonly api: readonly ApiAddress[]
  readonly key: string
  readonly riders: readonly Rider[]
  readonly vehicleNumbers: readonly string[]
  readonly staff: Staff
}) {
  const { api, key, riders, vehicleNumbers, staff } = options
  const asking = createAsking(api)
  const told = new Map<number, LastOfRide>()
  let isAsking = true
  let next = 0

  const ask = (
    name: 'unlockRide' | 'endRide' | 'payRide' | 'readRide',
    input: object,
    isFinal: (code: string) => boolean,
  ) =>
    asking.ask(
      (url): Promise<Ride> =>
        createRiderClient({ url, calls: rideEndpoints, timeoutMs }).call(key, name, input as never),
      isFinal,
      finishWithinMs,
    )
  const note = (phone: string, ride: Ride): RideState => {
    told.set(ride.orderId, { phone, state: ride.state, chargedCents: ride.chargedCents })
    return ride.state
  }
  /** Reads a ride until it is in none of these states; null when that takes too long. */
  const leave = async (asked: { phone: string; orderId: number }, states: readonly RideState[]) => {
    const until = performance.now() + finishWithinMs
    while (!asking.isStopped && performance.now() < until) {
      const read = await ask('readRide', asked, () => false)
      if (read.is !== 'answered') return null
      const state = note(asked.phone, read.answer)
      if (!states.includes(state)) return state
      await sleep(pauseMs)
    }
    return null
  }
  const ride = async (rider: Rider, vehicleNumber: string): Promise<void> => {
    const { phone } = rider
    await staff.topUp(rider.id, `fault-charge-${rider.id}`)
    const begun = await ask('unlockRide', { phone, vehicleNumber }, () => false)
    if (begun.is !== 'answered') return
    note(phone, begun.answer)
    const asked = { phone, orderId: begun.answer.orderId }
    if ((await leave(asked, ['unlocking'])) !== 'riding') return
    for (let state: RideState | null = 'riding'; state !== null && !isOver(state);) {
      const ended = await ask('endRide', asked, (code) => code === 'ride_step_refused')
      if (ended.is === 'answered') note(phone, ended.answer)
      state = await leave(asked, ['returning', 'pausing', 'resuming'])
      if (state === 'due') {
        const paid = await ask('payRide', asked, (code) => code === 'ride_step_refused')
        if (paid.is === 'answered') note(phone, paid.answer)
      }
      if (asking.isStopped) return
    }
  }
  const run = async (vehicleNumber: string): Promise<void> => {
    // eslint-disable-next-line no-unmodified-loop-condition -- quieten() and stop() set them while this loop waits
    while (isAsking && !asking.isStopped) {
      const rider = riders[next]
      next += 1
      if (rider === undefined) return
      await ride(rider, vehicleNumber)
      await sleep(pauseMs)
    }
  }
  const running = Promise.all(vehicleNumbers.map(run))
  return {
    told,
    /** Rides under way are ridden to their end; no other one begins. */
    quieten: async () => {
      isAsking = false
      await running
    },
    stop: async () => {
      asking.stop()
      await running
    },
  }
}
