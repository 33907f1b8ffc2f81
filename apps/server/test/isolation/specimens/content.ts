import { blankPng } from '#test/blankPng.ts'
import { testAd, testHelp, testTelephone } from '#test/content.ts'
import type { OtherSpecimens, Specimens } from './specimen.ts'

const help = { ...testHelp, title: 'isolation' }
const telephone = { ...testTelephone, label: 'isolation' }
const ad = { ...testAd, name: 'isolation' }
const photo = blankPng(600, 150).toString('base64')

export const contentSpecimens = {
  listHelp: () => ({}),
  exportHelp: () => ({}),
  saveHelp: (of) => ({ id: of.content.articleId, version: 1, content: help }),
  publishHelp: (of) => ({ id: of.content.articleId, version: 1 }),
  withdrawHelp: (of) => ({ id: of.content.articleId }),
  moveHelp: (of) => ({ id: of.content.articleId, position: 1 }),
  helpVersions: (of) => ({ id: of.content.articleId }),
  keepHelpPicture: (of) => ({ agentId: of.agentId, photo }),
  helpPictures: (of) => ({ ids: [of.content.helpPhotoId] }),
  listHelpReaders: () => ({}),
  exportHelpReaders: () => ({}),
  listTelephones: () => ({}),
  exportTelephones: () => ({}),
  saveTelephone: (of) => ({ id: of.content.lineId, version: 1, content: telephone }),
  telephoneVersions: (of) => ({ id: of.content.lineId }),
  listHolidays: (of) => ({ agentId: of.agentId }),
  saveHolidays: (of) => ({ agentId: of.agentId, holidays: [{ day: '2027-02-06', name: 'isolation' }] }),
  listAds: () => ({}),
  exportAds: () => ({}),
  saveAd: (of) => ({ id: of.content.placementId, version: 1, content: ad }),
  switchAd: (of) => ({ id: of.content.placementId, step: 'pause' }),
  adVersions: (of) => ({ id: of.content.placementId }),
  keepAdPicture: (of) => ({ agentId: of.agentId, slot: 'mine', photo }),
  adPictures: (of) => ({ ids: [of.content.adPhotoId] }),
  listAdDays: () => ({}),
  exportAdDays: () => ({}),
  adTargets: (of) => ({ agentId: of.agentId }),
  adTrend: (of) => ({ id: of.content.placementId }),
} satisfies Partial<Specimens>

export const otherContentSpecimens = {
  listHelp: [
    (of) => ({ filter: { id: of.content.articleId } }),
    (of) => ({ filter: { text: of.marker, states: ['published'] } }),
    (of) => ({ filter: { areaIds: [of.areaIds[0]] } }),
  ],
  saveHelp: [
    (of) => ({ agentId: of.agentId, content: help }),
    (of) => ({
      id: of.content.articleId,
      version: 1,
      content: { ...help, areaIds: [of.areaIds[0]], body: `![p](photo:${of.content.helpPhotoId})` },
    }),
  ],
  listHelpReaders: [(of) => ({ filter: { articleId: of.content.articleId } })],
  listTelephones: [
    (of) => ({ filter: { id: of.content.lineId } }),
    (of) => ({ filter: { agentIds: [of.agentId], areaIds: [of.areaIds[0]] } }),
  ],
  saveTelephone: [
    (of) => ({ agentId: of.agentId, content: telephone }),
    (of) => ({ id: of.content.lineId, version: 1, content: { ...telephone, areaIds: [of.areaIds[0]] } }),
  ],
  listAds: [
    (of) => ({ filter: { id: of.content.placementId } }),
    (of) => ({ filter: { name: of.marker, states: ['on'], slots: ['mine'] } }),
    (of) => ({ filter: { areaIds: [of.areaIds[0]] } }),
  ],
  saveAd: [
    (of) => ({ agentId: of.agentId, slot: 'mine', content: ad }),
    (of) => ({ agentId: of.agentId, slot: 'mine', content: { ...ad, photoId: of.content.adPhotoId } }),
    (of) => ({ id: of.content.placementId, version: 1, content: { ...ad, areaIds: [of.areaIds[0]] } }),
  ],
  listAdDays: [
    (of) => ({ filter: { placementId: of.content.placementId } }),
    (of) => ({ filter: { areaIds: [of.areaIds[0]] } }),
  ],
} satisfies OtherSpecimens
