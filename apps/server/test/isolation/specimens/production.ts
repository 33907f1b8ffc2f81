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
  upgradeLog: (of) => ({ id: of.upgrades.actionIds[0] }),
} satisfies Partial<Specimens>

export const otherProductionSpecimens = {
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
