import { closeAlarm, expect, offlineAfterMs, openAlarm, transition, type LifeVehicle, type World } from './world.ts'

/** Takes the device offline for a time, or, with null, until staff repair it. */
export function loseConnection(world: World, vehicle: LifeVehicle, forMs: number | null): void {
  vehicle.silent = true
  world.emit({ atMs: world.nowMs, vehicle, kind: 'line', up: false })
  expect(world, { atMs: world.nowMs + offlineAfterMs, what: 'line_given_up', ref: vehicle.index, number: 0 })
  if (forMs !== null) {
    expect(world, { atMs: world.nowMs + Math.round(forMs), what: 'line_found', ref: vehicle.index, number: 0 })
  }
}

/** The vehicle has not reported for too long. */
export function markOffline(world: World, vehicle: LifeVehicle): void {
  if (!vehicle.silent || vehicle.state !== 'available') return
  vehicle.stateBefore = vehicle.state
  transition(world, vehicle, { event: 'comms_lost', to: 'non_contactable', cause: 'clock' })
  openAlarm(world, vehicle, 'offline')
}

export function restoreConnection(world: World, vehicle: LifeVehicle): void {
  if (!vehicle.silent) return
  vehicle.silent = false
  world.emit({ atMs: world.nowMs, vehicle, kind: 'line', up: true })
  if (vehicle.state === 'non_contactable') {
    transition(world, vehicle, { event: 'comms_restored', to: vehicle.stateBefore ?? 'available', cause: 'device' })
    vehicle.stateBefore = null
  }
  closeAlarm(world, vehicle, 'offline')
}
