import { demoVehicles, type DemoVehicle } from '@saddle/contract/demo/city.ts'
import { demoFranchiseeId } from '@saddle/contract/demo/riders.ts'
import { rideEndpoints, type Ride } from '@saddle/contract/riding/rides.ts'
import { createSingleDevice, type SingleDevice } from '@saddle/simulator/src/fleet/single.ts'
import { testPriceRules } from '@saddle/server/test/rides.ts'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { Site } from './browser.ts'
import { askAsApp } from './riderApp.ts'

export type PayingRide = Ride & { readonly payment: { readonly number: string } | null }

export interface Riding {
  readonly vehicle: DemoVehicle
  readonly agentId: number
  /** Rides the vehicle from its unlocking to its return; resolves when the ride is charged. */
  readonly ride: (phone: string) => Promise<PayingRide>
  /** The same, and pays what is left by a channel. */
  readonly ridePaid: (phone: string) => Promise<PayingRide>
}

/** Riders on a vehicle of the manager's company, by the riders' calls and the vehicle's own connection. Call it at the top of a file. */
export function openRiding(site: Site): Riding {
  const agentId = demoFranchiseeId('qinghe')
  const vehicle = demoVehicles(30).find(({ protocol, agentKey }) => protocol === 'omni' && agentKey === 'qinghe')
  if (vehicle === undefined) throw new Error('no demo vehicle of the company speaks Omni')
  let device: SingleDevice | null = null

  beforeAll(async () => {
    const { server } = site
    await server.query(
      `insert into price_version (agent_id, area_id, name, rules, valid_from, author_name, created_at)
       select agent_id, id, '首版计价', $1, now() - interval '1 hour', '平台', now() - interval '1 hour' from service_area`,
      [JSON.stringify({ ...testPriceRules, freeSeconds: 0 })],
    )
    const password = server.devicePassword(vehicle.imei)
    device = createSingleDevice({ vehicle, seed: 7, host: '127.0.0.1', port: server.ports.omni, password })
    // Nobody can ride a vehicle that was not heard of yet.
    const heard = `select from vehicle v join vehicle_status s on s.vehicle_id = v.id
      where v.number = $1 and v.state = 'available' and s.heard_at is not null`
    const isHeard = async (): Promise<void> => expect(await server.query(heard, [vehicle.number])).toHaveLength(1)
    await vi.waitFor(isHeard, { timeout: 60_000, interval: 100 })
  })
  afterAll(() => device?.stop())

  const ask = (name: keyof typeof rideEndpoints, input: Record<string, unknown>) =>
    askAsApp<PayingRide>(site.server, rideEndpoints[name], input)
  const becomes = async (own: Record<string, unknown>, state: RegExp): Promise<void> => {
    await expect.poll(async () => (await ask('readRide', own)).state).toMatch(state)
  }

  const ride = async (phone: string): Promise<PayingRide> => {
    const { orderId } = await ask('unlockRide', { phone, vehicleNumber: vehicle.number })
    const own = { phone, orderId }
    await expect.poll(() => device?.state.locked).toBe(false)
    await becomes(own, /^riding$/)
    await ask('endRide', own)
    await expect.poll(() => device?.state.locked).toBe(true)
    await becomes(own, /^(due|paid)$/)
    return ask('readRide', own)
  }
  return {
    vehicle,
    agentId,
    ride,
    ridePaid: async (phone) => {
      const { orderId, state } = await ride(phone)
      const own = { phone, orderId }
      if (state === 'due') {
        const { payment } = await ask('payRide', own)
        expect((await fetch(`${site.server.url}/pay/sandbox/${payment?.number}`, { method: 'POST' })).status).toBe(204)
      }
      await becomes(own, /^paid$/)
      return ask('readRide', own)
    },
  }
}
