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

const tests = ['cancelFactoryTest', 'setFactoryTerms', 'finishRework', 'exportFactoryTests', 'exportReworks'] as const

/** Firmware, voice packs and the campaigns that bring them to devices. */
export async function upgrades({ act, of, owner, manager, root }: ChangeWorld): Promise<void> {
  for (const name of changes) await act(manager, name, specimens[name](of, of.manager))
  await act(manager, 'switchArtefact', { id: of.upgrades.voiceId, state: 'off' })
  const added = await act(manager, 'uploadCarIdSingle', specimens.uploadCarIdSingle(of, of.manager))
  const vehicleIds = [numberIn(added, 'vehicleId')]
  await act(manager, 'deliverUnits', { vehicleIds, areaId: of.areaIds[1] })
  await act(manager, 'deployUnits', { vehicleIds })
  await act(manager, 'retireUnits', { vehicleIds })
  await act(manager, 'exportUnits', {})
  await act(manager, 'exportVoltageSchemes', {})
  await act(manager, 'swapPart', specimens.swapPart(of, of.manager))
  await act(manager, 'beginFactoryTest', { vehicleId: of.factory.stockIds[0] })
  for (const name of tests) await act(manager, name, specimens[name](of, of.manager))
  await act(manager, 'openRework', { vehicleId: of.factory.stockIds[1], reason: 'scratched' })
  await act(manager, 'discardVehicleImport', { id: of.upgrades.importIds[1] })
  await act(manager, 'exportUpgradeCampaigns', {})
  await act(manager, 'exportUpgradeActions', {})
  const id = numberIn(await act(root, 'saveVoltageScheme', { id: null, name: 'New pack', cells: 13 }), 'id')
  const terms = specimens.saveVoltageDraft(of, of.manager)
  const versionId = numberIn(await act(root, 'saveVoltageDraft', { ...terms, schemeId: id, revision: 0 }), 'id')
  await act(root, 'startVoltageReplay', { versionId, revision: 1 })
  await owner.updateTable('voltage_replay').set({ state: 'done' }).execute()
  await act(root, 'enforceVoltageVersion', { versionId, revision: 1, from: null, reason: 'r' })
  await act(root, 'withdrawVoltageVersion', { versionId, revision: 1, reason: 'r' })
}
