import type { UnitEvent } from '@saddle/contract/fleet/life.ts'
import type { FactoryFailedStep } from '@saddle/contract/production/factoryWords.ts'
import type { Tx } from '#kit/db/pool.ts'

/** What is derived from the unit itself, or comes from the device, is not written here. */
type WrittenEvent = Exclude<UnitEvent, 'made' | 'activated' | 'retired' | 'version'>

type NewUnitEvent = {
  readonly vehicleId: number
  readonly agentId: number
  readonly areaId: number
  readonly kind: WrittenEvent
  readonly atMs: number
  readonly personName: string
  readonly part?: string
  readonly before?: string | null
  readonly after?: string | null
  readonly note?: string
  readonly failures?: readonly FactoryFailedStep[]
}

const textMax = 120
const noteMax = 200

/** Appends to the life of a vehicle as a product. */
export async function addUnitEvent(tx: Tx, event: NewUnitEvent): Promise<void> {
  await tx
    .insertInto('unit_event')
    .values({
      vehicle_id: event.vehicleId,
      agent_id: event.agentId,
      area_id: event.areaId,
      kind: event.kind,
      at: new Date(event.atMs),
      part: event.part ?? null,
      before: event.before?.slice(0, textMax) ?? null,
      after: event.after?.slice(0, textMax) ?? null,
      note: (event.note ?? '').slice(0, noteMax),
      failures: event.failures === undefined ? null : JSON.stringify(event.failures),
      person_name: event.personName.slice(0, 40),
    })
    .execute()
}
