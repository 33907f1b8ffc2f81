import type { Gone } from '#fleet/public.ts'

/** A line that breaks is back within this time in most cases; only then does its vehicle count as lost. */
export const disconnectedAfterMs = 30_000

/** Vehicles that said goodbye, or whose line broke and whose will says so: waits whether they come back. */
export function createDisconnectedVehicles() {
  const waiting = new Map<number, number>()
  return {
    note({ vehicleId, at }: Gone): void {
      waiting.delete(vehicleId)
      waiting.set(vehicleId, at)
    },
    reconnected(vehicleId: number): void {
      waiting.delete(vehicleId)
    },
    /** Those whose time is over; each is told once. */
    due(nowMs: number): Gone[] {
      const due: Gone[] = []
      // In the order in which they went: the first that may still wait ends the search.
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
