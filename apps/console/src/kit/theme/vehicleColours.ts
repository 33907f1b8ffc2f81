import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'

/** What a vehicle mark can say, the state or a flag that outshouts it. The one colour language of map, tags and charts. */
export type VehicleMark = 'available' | 'reserved' | 'onTrip' | 'lowBattery' | 'fault' | 'offline' | 'inTask' | 'lost'

/** The marks also differ without colour: each has its own shape. */
type MarkShape = 'circle' | 'ring' | 'diamond' | 'triangle' | 'square' | 'cross' | 'hexagon' | 'question'

export interface MarkStyle {
  /** Key for `t`. */
  readonly label: string
  readonly light: string
  readonly dark: string
  readonly shape: MarkShape
}

export const markStyles: Readonly<Record<VehicleMark, MarkStyle>> = {
  available: { label: '可用', light: '#12805c', dark: '#3ecf9a', shape: 'circle' },
  reserved: { label: '已预约', light: '#6b4fc4', dark: '#a48bf2', shape: 'ring' },
  onTrip: { label: '骑行中', light: '#0958d9', dark: '#5c9bff', shape: 'diamond' },
  lowBattery: { label: '低电量', light: '#b25e00', dark: '#f5a83d', shape: 'triangle' },
  fault: { label: '故障', light: '#c4232b', dark: '#ff6b70', shape: 'cross' },
  offline: { label: '离线', light: '#5f6b7a', dark: '#93a1b3', shape: 'square' },
  inTask: { label: '作业中', light: '#08758f', dark: '#4cc4dd', shape: 'hexagon' },
  lost: { label: '失联', light: '#8a1f6b', dark: '#ec7cc9', shape: 'question' },
}

const markOfState: Readonly<Record<VehicleState, VehicleMark>> = {
  available: 'available',
  reserved: 'reserved',
  on_trip: 'onTrip',
  non_operational: 'fault',
  elsewhere: 'inTask',
  removed: 'inTask',
  non_contactable: 'offline',
  missing: 'lost',
}

interface Marked {
  readonly state: VehicleState
  readonly lowBattery?: boolean
  readonly alarm?: boolean
  readonly offline?: boolean
}

/** The mark of one vehicle: the most urgent state or flag wins. */
export function markOf({ state, lowBattery, alarm, offline }: Marked): VehicleMark {
  if (state === 'missing') return 'lost'
  if (alarm) return 'fault'
  if (offline) return 'offline'
  const mark = markOfState[state]
  return lowBattery && (mark === 'available' || mark === 'reserved') ? 'lowBattery' : mark
}
