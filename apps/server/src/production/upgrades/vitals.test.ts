import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { UpgradeGate } from '@saddle/contract/production/upgradeWords.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { field } from '#telemetry/field.fixture.ts'
import { toldOf } from '#test/toldOf.ts'
import { testUpload } from '#test/upgrades.ts'
import { openTerms, transfersFixture } from '../transfers.fixture.ts'

const { owner, site, handlers, work, operator } = await transfersFixture()
const { clock } = site.kit
const vehicleIds: number[] = []
for (let count = 0; count < 48; count += 1) vehicleIds.push((await site.addVehicle(field.north)).id)
/** Every other vehicle is upgraded. */
const upgraded = vehicleIds.filter((_, index) => index % 2 === 0)
const others = vehicleIds.filter((_, index) => index % 2 === 1)

let version = 300
/** A campaign under way: half of its vehicles have been upgraded, all are on their lines. */
async function campaign(): Promise<number> {
  version += 1
  // What happened before counts no more.
  clock.advance(hourMs)
  const { data: artefact } = await handlers.uploadArtefact(
    testUpload({ agentId: 3, version: String(version), protocol: 'omni', bytes: 300 }),
    operator,
  )
  const terms = { ...openTerms, unlockFailurePoints: 5, offlinePoints: 5, batteryPoints: 10 }
  const asked = { agentId: 3, artefactId: artefact.id, name: String(version), areaIds: [], terms }
  const { id } = (await handlers.createUpgradeCampaign(asked, operator)).data
  await handlers.startUpgradeCampaign({ id }, operator)
  const at = new Date(clock.now())
  await sql`update upgrade_action set state = 'finished', begun_at = ${at}, finished_at = ${at}
    where campaign_id = ${id} and vehicle_id = any (${upgraded}::bigint[])`.execute(owner)
  clock.advance(3 * hourMs)
  const now = new Date(clock.now())
  await sql`update vehicle_status set heard_at = ${now}, locked = true`.execute(owner)
  return id
}

const unlocks = (ids: readonly number[], failed: number) =>
  sql`
  insert into vehicle_command (agent_id, area_id, vehicle_id, kind, state, reason, failure, operator_id, operator_name,
    queued_at, expires_at, finished_at)
  select v.agent_id, v.area_id, v.id, 'unlock', case when n.place <= ${failed} then 'failed' else 'confirmed' end, '',
    case when n.place <= ${failed} then 'stuck' end, 1, 'o', ${new Date(clock.now())}, ${new Date(clock.now())},
    ${new Date(clock.now())}
  from unnest(${ids}::bigint[]) with ordinality as n (id, place) join vehicle v on v.id = n.id`.execute(owner)

/** Two hours in which each of the vehicles loses this much of its battery. */
async function drain(ids: readonly number[], percent: number): Promise<void> {
  const now = new Date(clock.now())
  await sql`select ensure_device_report_days(${now}::date - 1, ${now}::date + 1)`.execute(owner)
  for (const [hours, left] of [
    [2, 80],
    [0, 80 - percent],
  ] as const)
    await sql`
      insert into device_report (vehicle_id, agent_id, area_id, occurred_at, frame_crc, received_at, kind, battery_percent)
      select v.id, v.agent_id, v.area_id, ${new Date(clock.now() - hours * hourMs)}, ${hours}, ${now}, 'position', ${left}
      from vehicle v where v.id = any (${ids}::bigint[])`.execute(owner)
}

const silence = (ids: readonly number[]) =>
  sql`update vehicle_status set heard_at = null where vehicle_id = any (${ids}::bigint[])`.execute(owner)

const cases: readonly (readonly [
  UpgradeGate,
  (worse: readonly number[], better: readonly number[]) => Promise<unknown>,
])[] = [
  [
    'unlock_failures',
    async (worse, better) => {
      await unlocks(worse, 4)
      await unlocks(better, 1)
    },
  ],
  ['offline', async (worse) => silence(worse.slice(0, 3))],
  [
    'battery_drain',
    async (worse, better) => {
      await drain(worse, 4)
      await drain(better, 1)
    },
  ],
]

it.each(cases)(
  'a campaign whose vehicles are worse in %s stops, and goes on where the others are',
  async (gate, happen) => {
    const look = async (id: number) => {
      await work()
      const page = { filter: { id }, sort: 'created', pageSize: 20 } as const
      const [row] = (await handlers.listUpgradeCampaigns(page, operator)).data.list
      return { state: row?.state, gate: row?.gate, told: await toldOf(owner, `upgrade ${id}`) }
    }
    const sound = await campaign()
    await happen(others, upgraded)
    expect(await look(sound)).toEqual({ state: 'running', gate: null, told: [] })
    await handlers.stopUpgradeCampaign({ id: sound, reason: '' }, operator)
    const bad = await campaign()
    await happen(upgraded, others)
    expect(await look(bad)).toEqual({ state: 'paused', gate, told: ['upgrade_stopped'] })
    const { vitals } = (await handlers.upgradeCampaignDetail({ id: bad }, operator)).data
    const { upgraded: worse, others: better } = {
      unlock_failures: vitals.unlockFailures,
      offline: vitals.offline,
      battery_drain: vitals.batteryDrain,
    }[gate as 'offline']
    expect(worse).toBeGreaterThan(better ?? Infinity)
  },
)
