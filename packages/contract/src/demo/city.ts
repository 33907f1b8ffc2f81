/**
 * The demo city as plain data, so that the server's demo records and the simulated vehicles agree on it. The city
 * itself is drawn by the simulator; its tests check that what stands here still fits that drawing.
 */

export type DemoAgentKey = 'qinghe' | 'lvtu' | 'chengji'

export type DemoArea = {
  name: string
  agentKey: DemoAgentKey
  /** Closed, counter-clockwise, WGS-84 [lng, lat]. */
  ring: [lng: number, lat: number][]
  /** Stretches of kerb where vehicles stand, with the direction of the street. */
  kerbs: [lng: number, lat: number, headingDeg: number][]
}

export type DemoVehicle = {
  /** Printed on the vehicle and in its QR code. */
  number: string
  imei: string
  agentKey: DemoAgentKey
  /** Index into demoAreas. */
  areaIndex: number
  lat: number
  lng: number
  /** SD-E2 is an e-bike, SD-K1 a scooter. */
  model: 'SD-E2' | 'SD-K1'
}

export const demoCity = {
  name: '澄湖市',
  centre: { lng: 120.72, lat: 31.26 },
  bounds: { west: 120.633828, south: 31.20227, east: 120.806172, north: 31.31773 },
} as const

/** The three franchisees of the demo. */
export const demoAgents: readonly { key: DemoAgentKey; name: string }[] = [
  { key: 'qinghe', name: '青禾出行' },
  { key: 'lvtu', name: '绿途单车' },
  { key: 'chengji', name: '城际骑行' },
]

/** Numbers joined by commas, points by spaces: six areas stay readable at a glance this way. */
function points<T extends number[]>(text: string): T[] {
  return text.split(' ').map((point) => point.split(',').map(Number) as T)
}

export const demoAreas: readonly DemoArea[] = [
  {
    name: '西城服务区',
    agentKey: 'lvtu',
    ring: points(
      '120.66235,31.27231 120.66142,31.25183 120.66172,31.23089 120.66662,31.23081 120.67151,31.23118 120.67640,31.23202 120.68130,31.23330 120.68619,31.23494 120.69109,31.23682 120.69598,31.23881 120.70087,31.24075 120.70123,31.25949 120.70113,31.27715 120.69908,31.29561 120.69015,31.29558 120.68096,31.29544 120.67146,31.29512 120.66166,31.29460 120.66235,31.27231',
    ),
    kerbs: points(
      '120.67803,31.27188,1 120.68878,31.26369,2 120.67465,31.23582,87 120.69334,31.27696,88 120.67829,31.23883,87 120.69662,31.25331,89 120.66455,31.25027,2 120.67062,31.23263,86 120.68066,31.24241,1 120.69898,31.27561,358 120.69267,31.24888,89 120.67753,31.26119,3 120.67427,31.26483,3 120.68122,31.25578,3',
    ),
  },
  {
    name: '老城服务区',
    agentKey: 'qinghe',
    ring: points(
      '120.70113,31.27715 120.70123,31.25949 120.70087,31.24075 120.70574,31.24249 120.71061,31.24393 120.71547,31.24499 120.72034,31.24564 120.72521,31.24589 120.73008,31.24579 120.73494,31.24544 120.73981,31.24495 120.73926,31.26304 120.73877,31.27991 120.73731,31.29632 120.72737,31.29588 120.71776,31.29567 120.70839,31.29561 120.69908,31.29561 120.70113,31.27715',
    ),
    kerbs: points(
      '120.71399,31.25887,0 120.72389,31.27031,88 120.73447,31.25122,89 120.71963,31.26194,89 120.72961,31.27939,356 120.70667,31.26549,88 120.71761,31.25573,89 120.73238,31.29193,87 120.71857,31.27348,357 120.71113,31.24759,0 120.72364,31.27511,87 120.72887,31.28758,355 120.70315,31.28251,89 120.73729,31.29066,355',
    ),
  },
  {
    name: '学府服务区',
    agentKey: 'chengji',
    ring: points(
      '120.73877,31.27991 120.73926,31.26304 120.73981,31.24495 120.74439,31.24446 120.74897,31.24402 120.75355,31.24371 120.75814,31.24356 120.76272,31.24357 120.76730,31.24373 120.77188,31.24396 120.77646,31.24420 120.77699,31.26377 120.77775,31.28288 120.77695,31.30056 120.76702,31.29915 120.75700,31.29795 120.74705,31.29700 120.73731,31.29632 120.73877,31.27991',
    ),
    kerbs: points(
      '120.75712,31.25940,85 120.75726,31.24484,85 120.76546,31.26613,84 120.74306,31.29578,85 120.74402,31.28426,85 120.74451,31.26278,86 120.74731,31.26907,85 120.76853,31.28827,359 120.74628,31.25513,359 120.77338,31.27508,2 120.76563,31.27064,83 120.75730,31.26986,84 120.75518,31.29217,357 120.75059,31.25179,86',
    ),
  },
  {
    name: '柳溪服务区',
    agentKey: 'lvtu',
    ring: points(
      '120.66287,31.22068 120.67217,31.22122 120.68179,31.22150 120.69166,31.22158 120.70168,31.22151 120.70122,31.22795 120.70096,31.23439 120.70087,31.24075 120.69598,31.23881 120.69109,31.23682 120.68619,31.23494 120.68130,31.23330 120.67640,31.23202 120.67151,31.23118 120.66662,31.23081 120.66172,31.23089 120.66203,31.22752 120.66241,31.22412 120.66287,31.22068',
    ),
    kerbs: points(
      '120.69109,31.22855,358 120.69256,31.23318,90 120.67701,31.22834,357 120.69897,31.22496,357 120.66545,31.22428,354 120.69308,31.22340,90 120.67396,31.22449,355 120.68270,31.22334,89 120.68594,31.22694,89 120.69853,31.23455,359 120.68797,31.23169,358 120.69876,31.22850,358 120.68097,31.22844,357 120.67906,31.22327,88',
    ),
  },
  {
    name: '江南服务区',
    agentKey: 'qinghe',
    ring: points(
      '120.70168,31.22151 120.71222,31.22137 120.72255,31.22128 120.73255,31.22132 120.74221,31.22159 120.74114,31.22918 120.74034,31.23697 120.73981,31.24495 120.73494,31.24544 120.73008,31.24579 120.72521,31.24589 120.72034,31.24564 120.71547,31.24499 120.71061,31.24393 120.70574,31.24249 120.70087,31.24075 120.70096,31.23439 120.70122,31.22795 120.70168,31.22151',
    ),
    kerbs: points(
      '120.72925,31.24390,90 120.71779,31.24398,91 120.72028,31.23591,91 120.73970,31.23728,356 120.70811,31.23747,359 120.73509,31.23884,89 120.72854,31.22305,90 120.71197,31.22478,356 120.70668,31.23304,91 120.73393,31.22310,89 120.72472,31.24134,91 120.74108,31.22484,353 120.73503,31.22814,354 120.72314,31.22656,91',
    ),
  },
  {
    name: '湖东服务区',
    agentKey: 'chengji',
    ring: points(
      '120.74221,31.22159 120.75111,31.22212 120.75993,31.22294 120.76882,31.22403 120.77792,31.22537 120.77715,31.23145 120.77667,31.23770 120.77646,31.24420 120.77188,31.24396 120.76730,31.24373 120.76272,31.24357 120.75814,31.24356 120.75355,31.24371 120.74897,31.24402 120.74439,31.24446 120.73981,31.24495 120.74034,31.23697 120.74114,31.22918 120.74221,31.22159',
    ),
    kerbs: points(
      '120.74412,31.24018,357 120.76083,31.22961,354 120.75454,31.23661,85 120.77074,31.22928,81 120.75115,31.23936,86 120.77421,31.24147,82 120.75558,31.22759,84 120.75654,31.23227,355 120.76534,31.24049,83 120.76019,31.23540,356 120.76979,31.24096,83 120.75738,31.24226,85 120.74226,31.23430,355 120.75125,31.22539,352',
    ),
  },
]

/** Vehicle numbers count from SD100001. */
export const demoVehicleNumber = (index: number): string => `SD${100_001 + index}`

/** A valid IMEI (with its Luhn check digit) for the demo vehicle of this index. */
export function demoImei(index: number): string {
  const body = `86758403${String(100_001 + index).padStart(6, '0')}`
  const sum = body.split('').reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

/** More vehicles than this do not find room at the kerbs. */
export const demoVehicleLimit = 5000

/** Vehicles stand 1.4 m apart along their kerb. */
const vehiclePitchM = 1.4

/** The first `count` demo vehicles (at most 5000) at their places; the same index is always the same vehicle. */
export function demoVehicles(count: number): DemoVehicle[] {
  const vehicles: DemoVehicle[] = []
  for (let index = 0; index < Math.min(count, demoVehicleLimit); index++) {
    const areaIndex = index % demoAreas.length
    const area = demoAreas[areaIndex]
    const inArea = Math.floor(index / demoAreas.length)
    const kerb = area?.kerbs[inArea % area.kerbs.length]
    if (!area || !kerb) continue
    const alongM = Math.floor(inArea / area.kerbs.length) * vehiclePitchM
    const heading = (kerb[2] * Math.PI) / 180
    vehicles.push({
      number: demoVehicleNumber(index),
      imei: demoImei(index),
      agentKey: area.agentKey,
      areaIndex,
      lng: round(kerb[0] + (alongM * Math.sin(heading)) / 95_170),
      lat: round(kerb[1] + (alongM * Math.cos(heading)) / 110_860),
      model: inArea % 3 === 2 ? 'SD-K1' : 'SD-E2',
    })
  }
  return vehicles
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
