import type { OtherSpecimens, Specimens } from './specimen.ts'

const isolationFence = {
  name: 'isolation',
  capacity: 10,
  hours: null,
  shape: { centre: { lat: 31.05, lng: 120.05 }, radiusM: 30 },
}

export const geographySpecimens = {
  listFences: () => ({}),
  fencesAround: () => ({ lat: 31.05, lng: 120.05 }),
  findRoads: () => ({ keyword: '路' }),
  whereIs: () => ({ lat: 31.05, lng: 120.05 }),
  listElectricFences: (of) => ({ filter: { kind: 'parking', keyword: of.marker } }),
  electricFence: (of) => ({ lineId: of.fenceIds[0] }),
  fencePhotos: (of) => ({ lineId: of.fenceIds[0] }),
  createElectricFences: (of) => ({ areaId: of.areaIds[0], kind: 'parking', fences: [isolationFence] }),
  updateElectricFences: (of) => ({ changes: [{ lineId: of.fenceIds[0], version: 1, ...isolationFence }] }),
  deleteElectricFences: (of) => ({ fences: [{ lineId: of.fenceIds[0], version: 1 }] }),
  checkElectricFences: (of) => ({
    areaId: of.areaIds[0],
    kind: 'parking',
    drafts: [{ ...isolationFence, lineId: null }],
  }),
  fenceEffect: (of) => ({ areaId: of.areaIds[0], kind: 'parking', drafts: [], removes: [of.fenceIds[0]] }),
  returnClusters: (of) => ({ areaId: of.areaIds[0], returnsMin: 2, everywhere: true }),
  exportElectricFences: (of) => ({ filter: { kind: 'parking', keyword: of.marker }, format: 'geojson' }),
} satisfies Partial<Specimens>

export const otherGeographySpecimens = {
  listFences: [(of) => ({ areaId: of.areaIds[0] })],
} satisfies OtherSpecimens
