import type { ReactNode } from 'react'
import { markStyles, type VehicleMark } from '#kit/theme/vehicleColours.ts'
import { arterials, makeDistrict, northClip, river, southClip, type District } from './city.ts'

const north = makeDistrict({ seed: 20, angleDeg: -11, pitch: 54 })
const south = makeDistrict({ seed: 7, angleDeg: 9, pitch: 62 })

interface Standing {
  readonly at: readonly [number, number]
  readonly mark: VehicleMark
}

/** Vehicles away from any parking place. */
const scattered: readonly Standing[] = [
  { at: [452, 118], mark: 'available' },
  { at: [566, 214], mark: 'lowBattery' },
  { at: [876, 150], mark: 'available' },
  { at: [1022, 226], mark: 'reserved' },
  { at: [104, 400], mark: 'offline' },
  { at: [268, 806], mark: 'lowBattery' },
  { at: [560, 900], mark: 'available' },
  { at: [1050, 600], mark: 'inTask' },
  { at: [478, 412], mark: 'available' },
]

interface Parking {
  readonly at: readonly [number, number]
  readonly marks: readonly VehicleMark[]
}

const parkings: readonly Parking[] = [
  { at: [202, 190], marks: ['available', 'available'] },
  { at: [548, 732], marks: ['available', 'available', 'available'] },
  { at: [888, 236], marks: ['available', 'lowBattery'] },
  { at: [604, 404], marks: ['available'] },
  { at: [228, 452], marks: ['available', 'available'] },
  { at: [966, 690], marks: ['available', 'offline'] },
  { at: [686, 900], marks: ['available', 'available'] },
  { at: [600, 96], marks: ['available', 'reserved'] },
]
const parkingPitch = 22

interface Riding {
  readonly road: number
  readonly seconds: number
  readonly delaySeconds: number
  readonly backwards?: true
}

const riding: readonly Riding[] = [
  { road: 0, seconds: 64, delaySeconds: -20 },
  { road: 0, seconds: 78, delaySeconds: -60, backwards: true },
  { road: 1, seconds: 70, delaySeconds: -33 },
  { road: 2, seconds: 58, delaySeconds: -12, backwards: true },
  { road: 2, seconds: 82, delaySeconds: -50 },
  { road: 3, seconds: 74, delaySeconds: -28 },
]

/** A drawn city at night with vehicles: decoration beside the login pages, hidden from screen readers. */
export function CityMap(): ReactNode {
  return (
    <svg
      className="city"
      viewBox="0 0 1200 1000"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <clipPath id="city-north">
          <path d={northClip} />
        </clipPath>
        <clipPath id="city-south">
          <path d={southClip} />
        </clipPath>
        <radialGradient id="city-light" cx="46%" cy="40%" r="72%">
          <stop offset="0" stopColor="#16304d" stopOpacity="0.75" />
          <stop offset="1" stopColor="#0a1523" stopOpacity="0" />
        </radialGradient>
      </defs>
      <rect width="1200" height="1000" fill="#0b1726" />
      <rect width="1200" height="1000" fill="url(#city-light)" />
      <Streets district={north} clip="city-north" />
      <Streets district={south} clip="city-south" />
      <path
        className="city-park"
        d="M640 96l96-22 26 92-60 40-76-24zM60 560l120-30 20 60-130 40zM880 742l120 10 8 84-134 6z"
      />
      <path className="city-bank" d={river} />
      <path className="city-river" d={river} />
      {arterials.map((road) => (
        <path key={road} className="city-arterial-edge" d={road} />
      ))}
      {arterials.map((road) => (
        <path key={road} className="city-arterial" d={road} />
      ))}
      <path
        className="city-area"
        d="M112 96L470 54L812 70L1068 152L1110 470L1056 742L800 934L420 952L118 866L66 560Z"
      />
      {parkings.map((parking) => (
        <ParkingPlace key={parking.at.join()} {...parking} />
      ))}
      {scattered.map(({ at: [x, y], mark }) => (
        <g key={`${x}-${y}`} transform={`translate(${x} ${y})`}>
          <Mark mark={mark} />
        </g>
      ))}
      {riding.map((rider) => (
        <Rider key={`${rider.road}-${rider.delaySeconds}`} {...rider} />
      ))}
    </svg>
  )
}

function Streets({ district, clip }: { readonly district: District; readonly clip: string }): ReactNode {
  return (
    <g clipPath={`url(#${clip})`}>
      <g transform={`rotate(${district.angleDeg} 600 500)`}>
        <path className="city-blocks" d={district.blocks} />
        <path className="city-streets" d={district.streets} />
        <path className="city-avenues" d={district.avenues} />
      </g>
    </g>
  )
}

function ParkingPlace({ at: [x, y], marks }: Parking): ReactNode {
  const width = (marks.length + 0.6) * parkingPitch
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className="city-parking" x={-width / 2} y="-16" width={width} height="32" rx="9" />
      {marks.map((mark, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the row of a drawing never changes
        <g key={index} transform={`translate(${(index - (marks.length - 1) / 2) * parkingPitch} 0)`}>
          <Mark mark={mark} />
        </g>
      ))}
    </g>
  )
}

function Rider({ road, seconds, delaySeconds, backwards }: Riding): ReactNode {
  const path = arterials[road]
  const points = backwards ? '1;0' : '0;1'
  return (
    <g className="city-rider">
      <circle r="15" className="city-rider-glow" />
      <Mark mark="onTrip" />
      <animateMotion
        path={path}
        dur={`${seconds}s`}
        begin={`${delaySeconds}s`}
        repeatCount="indefinite"
        keyPoints={points}
        keyTimes="0;1"
        calcMode="linear"
      />
    </g>
  )
}

const outlines: Readonly<Partial<Record<VehicleMark, string>>> = {
  onTrip: 'M0-7.5L7.5 0L0 7.5L-7.5 0Z',
  lowBattery: 'M0-7.5L7.5 6H-7.5Z',
  offline: 'M-5.5-5.5h11v11h-11z',
  inTask: 'M-3.6-6.4h7.2L7.2 0L3.6 6.4h-7.2L-7.2 0z',
}

/** The mark of one vehicle in the product's state colours. */
export function Mark({ mark }: { readonly mark: VehicleMark }): ReactNode {
  const colour = markStyles[mark].dark
  const outline = outlines[mark]
  if (mark === 'reserved') return <circle r="5" fill="#0b1726" stroke={colour} strokeWidth="3.5" />
  if (outline === undefined) return <circle r="6" fill={colour} stroke="#0b1726" strokeWidth="2" />
  return <path d={outline} fill={colour} stroke="#0b1726" strokeWidth="2" strokeLinejoin="round" />
}
