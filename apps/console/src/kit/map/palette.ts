/** Colours of the basemap. They are muted so that moving objects are the brightest on the page. */
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
    background: '#e4e8ec',
    land: '#e9edf0',
    block: '#eef1f3',
    water: '#b9d3e6',
    waterText: '#4a7896',
    park: '#d0e4ca',
    parkText: '#4d7550',
    campus: '#ebe5da',
    building: '#dfe3e8',
    buildingEdge: '#d0d6dd',
    roadCasing: '#ccd3db',
    roadMinor: '#ffffff',
    roadMedium: '#ffffff',
    roadMajor: '#ffffff',
    roadTrunk: '#fdeec8',
    railway: '#aeb6c1',
    railwayTie: '#f2f4f6',
    text: '#566170',
    textStrong: '#303a47',
    halo: 'rgba(255,255,255,0.88)',
    area: '#3b6fd4',
  },
  dark: {
    background: '#0f141a',
    land: '#10151b',
    block: '#141a21',
    water: '#0c2536',
    waterText: '#5f92b3',
    park: '#15271f',
    parkText: '#6f9c7b',
    campus: '#211f1c',
    building: '#1d252f',
    buildingEdge: '#28323e',
    roadCasing: '#0c1015',
    roadMinor: '#27313d',
    roadMedium: '#323e4c',
    roadMajor: '#3d4a59',
    roadTrunk: '#544f40',
    railway: '#3c4754',
    railwayTie: '#1a212a',
    text: '#8c99a9',
    textStrong: '#c3ccd7',
    halo: 'rgba(13,17,22,0.85)',
    area: '#5b8ff0',
  },
}
