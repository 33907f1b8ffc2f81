import { createHash } from 'node:crypto'
import type { LifeEvent } from '#sim/life/world.ts'

/** A hash over all events of a simulation, to compare two of them. */
export function createEventHash(): { note(event: LifeEvent): void; digest(): string } {
  const hash = createHash('sha256')
  return {
    note(event) {
      const { vehicle, atMs, kind, ...rest } = event
      const detail =
        'ride' in rest ? [rest.ride.number, rest.ride.endMs, rest.ride.lengthM] : 'task' in rest ? rest.task : rest
      hash.update(JSON.stringify([atMs, vehicle.index, kind, detail]))
    },
    digest: () => hash.copy().digest('hex'),
  }
}
