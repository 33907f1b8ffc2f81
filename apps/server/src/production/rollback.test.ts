import { expect, it } from 'vitest'
import { eventually, field, type Line } from '#telemetry/field.fixture.ts'
import { heard, pull, transfersFixture, type Vehicle } from './transfers.fixture.ts'

const { owner, site, handlers, work, operator, action, stateOf, campaignOf, campaignFor } = await transfersFixture()

type Installing = { readonly vehicle: Vehicle; readonly device: Line }

it('a rollback takes the vehicles that have the new version back to the one before, and no others', async () => {
  const install = async ({ vehicle, device, version }: Installing & { readonly version: string }): Promise<void> => {
    await work()
    const { packages } = await heard(device, 'U0')
    await pull(device, 0, packages)
    device.say({ instruction: 'U2', deviceType: '8A', result: 0 })
    await eventually(async () => expect((await action(vehicle.id)).state).toBe('installing'))
    device.say({ instruction: 'G0', firmware: version })
    await eventually(async () => expect((await action(vehicle.id)).state).toBe('finished'))
    for (let turn = 0; turn < 4; turn += 1) await work()
  }
  const { vehicle, device, version: before, artefactId } = await campaignFor({ bytes: 300 })
  await install({ vehicle, device, version: before })
  const { version, campaignId, artefactId: newer } = await campaignOf(vehicle, { bytes: 300 })
  await install({ vehicle, device, version })
  await site.addVehicle(field.north)
  const { data: detail } = await handlers.upgradeCampaignDetail({ id: campaignId }, operator)
  expect(detail.rollbacks.map(({ id, version: back }) => [id, back])).toEqual([[artefactId, before]])
  await expect(handlers.rollBackUpgrade({ id: campaignId, artefactId: newer }, operator)).rejects.toMatchObject({
    code: 'upgrade_no_rollback',
  })
  const { data: back } = await handlers.rollBackUpgrade({ id: campaignId, artefactId }, operator)
  expect(back.total).toBe(1)
  const queued = await owner.selectFrom('upgrade_action').selectAll().where('campaign_id', '=', back.id).execute()
  expect(queued).toMatchObject([{ vehicle_id: vehicle.id, from_version: version, to_version: before }])
  const page = { filter: { campaignId: back.id }, sort: 'queued', pageSize: 20 } as const
  expect((await handlers.listUpgradeActions(page, operator)).data.list).toMatchObject([{ campaign: `${version} 回退` }])
  await handlers.startUpgradeCampaign({ id: back.id }, operator)
  await install({ vehicle, device, version: before })
  const { firmware } = await owner
    .selectFrom('device')
    .select('firmware')
    .where('vehicle_id', '=', vehicle.id)
    .executeTakeFirstOrThrow()
  expect([firmware, await stateOf(vehicle.id)]).toEqual([before, 'available'])
})
