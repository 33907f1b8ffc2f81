import type { OtherSpecimens, Specimens } from './specimen.ts'

export const riderSpecimens = {
  searchRiders: () => ({}),
  riderDetail: (of) => ({ riderId: of.riderId }),
  revealPhone: (of) => ({ riderId: of.riderId, reason: 'isolation' }),
  revealCertificate: (of) => ({ riderId: of.riderId, reason: 'isolation' }),
  exportRiders: () => ({}),
  listBans: () => ({}),
  banRiders: (of) => ({ riderIds: [of.riderId], reason: 'isolation' }),
  liftBans: (of) => ({ riderIds: [of.bannedId] }),
  exportBans: () => ({}),
  listCertificates: () => ({}),
  decideCertificates: (of) => ({ ids: [of.certificateId], decision: 'refused', reason: 'isolation' }),
  reopenCertificates: (of) => ({ ids: [of.decidedCertificateId] }),
  certificatePhotos: (of) => ({ id: of.certificateId }),
  exportCertificates: () => ({}),
  listRebinds: () => ({}),
  decideRebind: (of) => ({ id: of.rebindId, decision: 'approved' }),
  rebindPhotos: (of) => ({ id: of.rebindId }),
  exportRebinds: () => ({}),
  riderTimeline: (of) => ({ riderId: of.riderId }),
  exportRiderTimeline: (of) => ({ riderId: of.riderId }),
} satisfies Partial<Specimens>

export const otherRiderSpecimens = {
  searchRiders: [
    (of) => ({ filter: { phone: of.riderPhone } }),
    (of) => ({ filter: { riderId: of.riderId } }),
    (of) => ({ filter: { name: `${of.marker} rider` } }),
    (of) => ({ filter: { certNumber: of.certNumber } }),
    () => ({ filter: { certified: true, banned: false }, sort: 'active', direction: 'asc' }),
  ],
  riderDetail: [(of) => ({ riderId: of.bannedId })],
  revealPhone: [(of) => ({ riderId: of.bannedId, reason: 'isolation' })],
  exportRiders: [(of) => ({ filter: { phone: of.riderPhone } })],
  listBans: [
    (of) => ({ filter: { states: ['active', 'over'], phone: of.bannedPhone } }),
    (of) => ({ filter: { states: ['active'], riderId: of.bannedId } }),
  ],
  banRiders: [(of) => ({ phone: of.riderPhone, reason: 'isolation' })],
  liftBans: [(of) => ({ riderIds: [of.riderId, of.bannedId], reason: 'isolation' })],
  exportBans: [(of) => ({ filter: { states: ['active'], phone: of.bannedPhone } })],
  listCertificates: [
    (of) => ({ filter: { states: ['waiting', 'approved'], phone: of.riderPhone } }),
    (of) => ({ filter: { states: ['waiting'], kinds: ['student'], riderId: of.riderId } }),
  ],
  exportCertificates: [(of) => ({ filter: { states: ['waiting'], phone: of.riderPhone } })],
  listRebinds: [
    (of) => ({ filter: { states: ['waiting'], phone: of.riderPhone } }),
    (of) => ({ filter: { states: ['waiting'], riderId: of.riderId } }),
  ],
  decideRebind: [(of) => ({ id: of.rebindId, decision: 'refused', reason: 'isolation' })],
  exportRebinds: [(of) => ({ filter: { states: ['waiting'], phone: of.riderPhone } })],
  riderTimeline: [(of) => ({ riderId: of.bannedId, groups: ['safety'] })],
} satisfies OtherSpecimens
