import type { Tx } from '#kit/db/pool.ts'

type Pair = readonly [number, number]

/** Vehicles in stock and their tests; one of each area. */
export interface FactoryThings {
  /** Waits for its test. */
  readonly stockIds: Pair
  /** Nothing else names it: it may be retired. */
  readonly spareIds: Pair
  /** A test that runs. */
  readonly testIds: Pair
  /** A rework that is open. */
  readonly reworkIds: Pair
}

/** The same with the things of the second area in the places of the first one's. */
export function factoryInSecondArea(of: FactoryThings): FactoryThings {
  const flip = ([first, second]: Pair): Pair => [second, first]
  return {
    stockIds: flip(of.stockIds),
    spareIds: flip(of.spareIds),
    testIds: flip(of.testIds),
    reworkIds: flip(of.reworkIds),
  }
}

const kinds = ['stock', 'spare', 'test', 'rework'] as const

/** Vehicles of each area that wait, are tested and are mended, and what the company tests. */
export async function addFactoryTests(options: {
  readonly tx: Tx
  readonly agentId: number
  readonly areaIds: Pair
  /** Batches that the spare vehicles came with. */
  readonly importIds: Pair
  readonly marker: string
  readonly at: Date
}): Promise<FactoryThings> {
  const { tx, agentId, areaIds, importIds, marker, at } = options
  const model = `${marker} model`
  const by = `${marker} tester`
  const vehicle = async (index: 0 | 1, kind: (typeof kinds)[number]): Promise<number> => {
    const place = { agent_id: agentId, area_id: areaIds[index] }
    const key = `${String(agentId).padStart(2, '0')}${index}${kinds.indexOf(kind)}`
    const { id } = await tx
      .insertInto('vehicle')
      .values({
        ...place,
        number: `ST${key}`,
        model,
        protocol: 'omni',
        state: 'removed',
        state_changed_at: at,
        created_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('device')
      .values({ ...place, vehicle_id: id, imei: `87${key}000000001` })
      .execute()
    await tx
      .insertInto('vehicle_status')
      .values({ ...place, vehicle_id: id })
      .execute()
    if (kind === 'spare') {
      const batch = { import_id: importIds[index] }
      await tx.updateTable('production_unit').set(batch).where('vehicle_id', '=', id).execute()
    }
    return id
  }
  const test = async (index: 0 | 1): Promise<number> => {
    const place = { agent_id: agentId, area_id: areaIds[index] }
    const vehicleId = await vehicle(index, 'test')
    const { id } = await tx
      .insertInto('factory_test')
      .values({
        ...place,
        vehicle_id: vehicleId,
        state: 'running',
        terms: JSON.stringify({
          steps: ['online'],
          firmware: null,
          batteryMinPercent: 30,
          voltageMinV: null,
          voltageMaxV: null,
        }),
        begun_at: at,
        begun_by_id: 1,
        begun_by: by,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('factory_test_step')
      .values({ ...place, test_id: id, position: 1, step: 'online', state: 'waiting', measured: marker })
      .execute()
    await tx.updateTable('production_unit').set({ stage: 'in_test' }).where('vehicle_id', '=', vehicleId).execute()
    return id
  }
  const rework = async (index: 0 | 1): Promise<number> => {
    const place = { agent_id: agentId, area_id: areaIds[index] }
    const vehicleId = await vehicle(index, 'rework')
    const reason = `${marker} rework`
    const { id } = await tx
      .insertInto('rework')
      .values({ ...place, vehicle_id: vehicleId, state: 'open', reason, opened_at: at, opened_by: by })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('unit_event')
      .values({ ...place, vehicle_id: vehicleId, kind: 'rework_opened', at, note: reason, person_name: by })
      .execute()
    await tx.updateTable('production_unit').set({ stage: 'rework' }).where('vehicle_id', '=', vehicleId).execute()
    return id
  }
  await tx
    .insertInto('factory_terms')
    .values({ agent_id: agentId, model, steps: ['online'], battery_min_percent: 30, changed_at: at, changed_by: by })
    .execute()
  return {
    stockIds: [await vehicle(0, 'stock'), await vehicle(1, 'stock')],
    spareIds: [await vehicle(0, 'spare'), await vehicle(1, 'spare')],
    testIds: [await test(0), await test(1)],
    reworkIds: [await rework(0), await rework(1)],
  }
}
