import { testUpload } from '#test/upgrades.ts'
import type { OtherSpecimens, Specimens } from './specimen.ts'

const terms = {}

export const productionSpecimens = {
  listArtefacts: () => ({}),
  exportArtefacts: () => ({}),
  uploadArtefact: (of) => testUpload({ agentId: of.agentId, version: '112', protocol: 'omni' }),
  switchArtefact: (of) => ({ id: of.upgrades.firmwareId, state: 'off' }),
  listenToVoice: (of) => ({ id: of.upgrades.voiceId }),
  listUpgradeCampaigns: () => ({}),
  exportUpgradeCampaigns: () => ({}),
  previewUpgrade: (of) => ({ agentId: of.agentId, artefactId: of.upgrades.firmwareId, areaIds: [of.areaIds[0]] }),
  createUpgradeCampaign: (of) => ({
    agentId: of.agentId,
    artefactId: of.upgrades.firmwareId,
    areaIds: [of.areaIds[0]],
    name: 'isolation',
    terms,
  }),
  startUpgradeCampaign: (of) => ({ id: of.upgrades.readyId }),
  pauseUpgradeCampaign: (of) => ({ id: of.upgrades.runningId, reason: 'isolation' }),
  stopUpgradeCampaign: (of) => ({ id: of.upgrades.readyId, reason: 'isolation' }),
  rollBackUpgrade: (of) => ({ id: of.upgrades.runningId, artefactId: of.upgrades.beforeId }),
  upgradeCampaignDetail: (of) => ({ id: of.upgrades.runningId }),
  listUpgradeActions: () => ({}),
  exportUpgradeActions: () => ({}),
  uploadCarIdExcel: (of) => ({
    areaId: of.areaIds[0],
    protocol: 'omni',
    name: 'isolation.csv',
    base64: Buffer.from('number,IMEI,model\nISOL0001,490154203237518,S1\n').toString('base64'),
  }),
  uploadCarIdAmount: (of) => ({ id: of.upgrades.importIds[0] }),
  uploadCarIdSingle: (of) => ({
    areaId: of.areaIds[0],
    number: 'ISOL0002',
    imei: '490154203237526',
    protocol: 'omni',
    model: 'S1',
    isImeiUnchecked: true,
  }),
  uploadCarIdUpdate: (of) => ({
    vehicleId: of.vehicleIds[0],
    number: of.vehicleNumber,
    imei: of.imei,
    model: `${of.marker} model`,
    serial: 'ISOLATION',
    isImeiUnchecked: true,
  }),
  vehicleImportTemplate: () => ({}),
  listVehicleImports: () => ({}),
  exportVehicleImports: () => ({}),
  listVehicleImportRows: () => ({}),
  exportVehicleImportRows: () => ({}),
  commitVehicleImport: (of) => ({ id: of.upgrades.importIds[0], rows: 'good' }),
  undoVehicleImport: (of) => ({ id: of.upgrades.committedImportIds[0] }),
  discardVehicleImport: (of) => ({ id: of.upgrades.importIds[0] }),
  listUnits: () => ({}),
  exportUnits: () => ({}),
  deliverUnits: (of) => ({ vehicleIds: [of.vehicleIds[0]], areaId: of.areaIds[0] }),
  deployUnits: (of) => ({ vehicleIds: [of.vehicleIds[0]] }),
  retireUnits: (of) => ({ vehicleIds: [of.vehicleIds[0]] }),
  upgradeLog: (of) => ({ id: of.upgrades.actionIds[0] }),
} satisfies Partial<Specimens>

export const otherProductionSpecimens = {
  listUnits: [
    (of) => ({ filter: { id: of.vehicleIds[0] } }),
    (of) => ({ filter: { text: of.vehicleNumber } }),
    (of) => ({ filter: { areaIds: [of.areaIds[0]] } }),
  ],
  uploadCarIdAmount: [() => ({})],
  listVehicleImports: [
    (of) => ({ filter: { id: of.upgrades.importIds[0] } }),
    (of) => ({ filter: { text: of.marker, states: ['checked'] } }),
  ],
  listVehicleImportRows: [
    (of) => ({ filter: { importId: of.upgrades.importIds[0] } }),
    (of) => ({ filter: { importId: of.upgrades.importIds[0], isBad: true } }),
  ],
  listArtefacts: [
    (of) => ({ filter: { id: of.upgrades.firmwareId } }),
    (of) => ({ filter: { text: of.marker, states: ['on'] } }),
  ],
  previewUpgrade: [(of) => ({ agentId: of.agentId, artefactId: of.upgrades.firmwareId })],
  createUpgradeCampaign: [
    (of) => ({ agentId: of.agentId, artefactId: of.upgrades.firmwareId, name: 'isolation', terms }),
  ],
  listUpgradeCampaigns: [
    (of) => ({ filter: { id: of.upgrades.runningId } }),
    (of) => ({ filter: { name: of.marker, states: ['running'] } }),
  ],
  listUpgradeActions: [
    (of) => ({ filter: { campaignId: of.upgrades.runningId } }),
    (of) => ({ filter: { vehicleId: of.vehicleIds[0] } }),
    (of) => ({ filter: { number: of.vehicleNumber } }),
  ],
} satisfies OtherSpecimens
