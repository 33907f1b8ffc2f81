import { specimens } from '#test/isolation/specimens/all.ts'
import { numberIn, type ChangeWorld } from './changeWorld.fixture.ts'

const changes = [
  'exportArtefacts',
  'uploadArtefact',
  'createUpgradeCampaign',
  'startUpgradeCampaign',
  'pauseUpgradeCampaign',
  'rollBackUpgrade',
  'stopUpgradeCampaign',
  'exportVehicleImports',
  'exportVehicleImportRows',
  'uploadCarIdExcel',
  'uploadCarIdUpdate',
  'commitVehicleImport',
  'undoVehicleImport',
] as const

/** Firmware, voice packs and the campaigns that bring them to devices. */
export async function upgrades({ act, of, manager }: ChangeWorld): Promise<void> {
  for (const name of changes) await act(manager, name, specimens[name](of, of.manager))
  await act(manager, 'switchArtefact', { id: of.upgrades.voiceId, state: 'off' })
  const added = await act(manager, 'uploadCarIdSingle', specimens.uploadCarIdSingle(of, of.manager))
  const vehicleIds = [numberIn(added, 'vehicleId')]
  await act(manager, 'deliverUnits', { vehicleIds, areaId: of.areaIds[1] })
  await act(manager, 'deployUnits', { vehicleIds })
  await act(manager, 'retireUnits', { vehicleIds })
  await act(manager, 'exportUnits', {})
  await act(manager, 'discardVehicleImport', { id: of.upgrades.importIds[1] })
  await act(manager, 'exportUpgradeCampaigns', {})
  await act(manager, 'exportUpgradeActions', {})
}
