import { sql } from 'kysely'
import { beforeEach } from 'vitest'
import { minuteMs as minute } from '@saddle/contract/time.ts'
import type { AppCall } from '#kit/call.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { publicCall, TEST_START_MS } from '#test/kit.ts'
import { testPriceRules } from '#test/rides.ts'
import { placeAt, ridingWorld } from '../riding.fixture.ts'

/** A city with prices and riders' applications, in which every test has hours of its own and nothing under way. */
export async function ridesByApp() {
  const database = await testDatabase()
  const { db, owner } = database
  const world = await ridingWorld(database)
  const { kit, fleet, finance, ledger, riding, vehicleIds, call: operator } = world
  const { handlers } = riding

  const phone = '13800138000'
  const photo = samples.jpeg.toString('base64')
  const first = { phone, vehicleNumber: 'SD000001' }
  const appOf = async (agentId: number): Promise<AppCall> => {
    const key = await db.system((tx) => riding.addApp(tx, { agentId, name: `app ${agentId}` }))
    const app = await riding.appOfKey(key)
    if (app === null) throw new Error('the key is not known')
    return { ...publicCall(), app }
  }
  const app = await appOf(3)
  const otherApp = await appOf(4)
  const platformApp = await appOf(2)
  const agents = { 31: 3, 32: 3, 41: 4 }
  await owner
    .insertInto('price_version')
    .values(
      Object.entries(agents).map(([areaId, agentId]) => ({
        agent_id: agentId,
        area_id: Number(areaId),
        name: '首版',
        rules: JSON.stringify(testPriceRules),
        valid_from: new Date(TEST_START_MS - 24 * 60 * minute),
        created_at: new Date(TEST_START_MS - 24 * 60 * minute),
        author_name: '平台',
      })),
    )
    .execute()

  async function report(
    vehicleId: number,
    changes: { locked?: boolean; place?: { lat: number; lng: number } },
  ): Promise<void> {
    const nowMs = kit.clock.now()
    const place = changes.place ?? placeAt(0)
    const silent = { batteryPercent: 80, voltageV: null, charging: null, signal: null, odometerM: null, alarms: [] }
    const position = { ...place, speedKmh: 10, headingDeg: 0 }
    const one = { vehicleId, position, locked: changes.locked ?? null, receivedAt: nowMs, occurredAt: nowMs }
    await db.system(async (tx) => {
      const locked = await fleet.reports.lock(tx, [vehicleId])
      await fleet.reports.apply(tx, locked, [{ ...silent, ...one, commanded: true }])
    })
  }

  /** A vehicle's answer to its pending command. */
  async function obey(vehicleId: number, place = placeAt(0)): Promise<void> {
    const command = await fleet.commands.claim(vehicleId)
    if (command === null) throw new Error('there is no command')
    await report(vehicleId, { locked: command.kind === 'lock', place })
    await fleet.commands.move({ ...command, to: 'confirmed' })
    await riding.sweep()
  }

  const one = vehicleIds[0]!
  const stateOf = async (orderId: number) => (await handlers.readRide({ phone, orderId }, app)).data.state
  const vehicleState = async (id: number) =>
    (await owner.selectFrom('vehicle').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
  const revenue = () => ledger.balanceOf({ agentId: 3, account: { kind: 'agent_revenue' } })

  let start = TEST_START_MS
  beforeEach(async () => {
    // Every test has its own hour, because ledger entries cannot be deleted.
    start += 3 * 60 * minute
    kit.clock.set(start)
    await owner.deleteFrom('vehicle_command').execute()
    await sql`update ride_order set state = 'cancelled' where state in ('reserved', 'unlocking', 'riding', 'paused', 'returning')`.execute(
      owner,
    )
    await sql`update vehicle set state = 'available'`.execute(owner)
    await sql`delete from return_photo; delete from order_line; delete from return_check; delete from return_review; delete from order_refund; delete from ride_order; delete from trip`.execute(
      owner,
    )
    for (const id of vehicleIds) await report(id, { locked: true })
  })

  return {
    owner,
    kit,
    fleet,
    finance,
    ledger,
    riding,
    vehicleIds,
    operator,
    db,
    handlers,
    phone,
    photo,
    first,
    app,
    otherApp,
    platformApp,
    report,
    obey,
    one,
    stateOf,
    vehicleState,
    revenue,
    world,
  }
}
