/** Colours of the basemap. Quiet on purpose: what moves must be the brightest thing on the page. */
export interface MapPalette {
  readonly background: string
  readonly land: string
  readonly block: string
  readonly water: string
  readonly waterText: string
  readonly park: string
  readonly parkText: string
  readonly campus: string
  readonly building: string
  readonly buildingEdge: string
  readonly roadCasing: string
  readonly roadMinor: string
  readonly roadMedium: string
  readonly roadMajor: string
  readonly roadTrunk: string
  readonly railway: string
  readonly railwayTie: string
  readonly text: string
  readonly textStrong: string
  readonly halo: string
  readonly area: string
}

export type MapTheme = 'light' | 'dark'

export const mapPalettes: Readonly<Record<MapTheme, MapPalette>> = {
  light: {
    background: '#e8ecef',
    land: '#edf0f2',
    block: '#f1f3f5',
    water: '#c3d9e8',
    waterText: '#4a7896',
    park: '#d8e8d3',
    parkText: '#4d7550',
    campus: '#ebe5da',
    building: '#e2e5e9',
    buildingEdge: '#d5d9df',
    roadCasing: '#d3d9e0',
    roadMinor: '#fbfcfd',
    roadMedium: '#ffffff',
    roadMajor: '#ffffff',
    roadTrunk: '#fdf1d6',
    railway: '#aeb6c1',
    railwayTie: '#f2f4f6',
    text: '#566170',
    textStrong: '#303a47',
    halo: 'rgba(255,255,255,0.88)',
    area: '#3b6fd4',
  },
  dark: {
    background: '#0f141a',
    land: '#12171e',
    block: '#151b23',
    water: '#0c2536',
    waterText: '#5f92b3',
    park: '#15271f',
    parkText: '#6f9c7b',
    campus: '#211f1c',
    building: '#1b222b',
    buildingEdge: '#242d38',
    roadCasing: '#0c1015',
    roadMinor: '#242d38',
    roadMedium: '#2d3845',
    roadMajor: '#36424f',
    roadTrunk: '#4a4a42',
    railway: '#3c4754',
    railwayTie: '#1a212a',
    text: '#8c99a9',
    textStrong: '#c3ccd7',
    halo: 'rgba(13,17,22,0.85)',
    area: '#5b8ff0',
  },
}
