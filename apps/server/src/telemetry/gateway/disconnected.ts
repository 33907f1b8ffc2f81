import type { Disconnection } from '#fleet/public.ts'

/** Most broken connections are back within this time; only after it the vehicle counts as disconnected. */
export const disconnectedAfterMs = 30_000

/** Vehicles that signed off, or whose connection broke and whose last will reports it, until they reconnect. */
export function createDisconnectedVehicles() {
  const waiting = new Map<number, number>()
  return {
    note({ vehicleId, at }: Disconnection): void {
      waiting.delete(vehicleId)
      waiting.set(vehicleId, at)
    },
    reconnected(vehicleId: number): void {
      waiting.delete(vehicleId)
    },
    /** Vehicles that did not reconnect in time. Each is returned once. */
    due(nowMs: number): Disconnection[] {
      const due: Disconnection[] = []
      // The map is in the order of disconnection: the first vehicle that may still wait ends the search.
      for (const [vehicleId, at] of waiting) {
        if (nowMs - at < disconnectedAfterMs) break
        waiting.delete(vehicleId)
        due.push({ vehicleId, at })
      }
      return due
    },
  }
}
export type DisconnectedVehicles = ReturnType<typeof createDisconnectedVehicles>
