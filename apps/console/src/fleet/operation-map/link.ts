import { commandKinds, type CommandKind } from '@saddle/contract/fleet/commands.ts'
import { mapAlarms, vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { formatViewpoint, parseViewpoint, type MapViewpoint } from '#kit/map/view.ts'
import { everything, flags, type Filter } from './filter.ts'

/** What the page's link says: `?vehicle=SD100001&view=120.7,31.3,14&show=available,on_trip&flag=low&alarm=fall`. */
export interface MapLink {
  /** Printed number of the selected vehicle. */
  readonly vehicle: string | null
  readonly view: MapViewpoint | null
  readonly filter: Filter
}

const numberPattern = /^[\w-]{1,40}$/

/** Reads a link; parts that make no sense are left out rather than refused. */
export function readLink(params: URLSearchParams): MapLink {
  const vehicle = params.get('vehicle')?.trim() ?? ''
  const wanted = new Set((params.get('show') ?? '').split(','))
  const flag = flags.find((each) => each === params.get('flag')) ?? null
  const states = vehicleStates.filter((state) => wanted.has(state))
  const alarmed = new Set((params.get('alarm') ?? '').split(','))
  const alarms = mapAlarms.filter((alarm) => alarmed.has(alarm))
  return {
    vehicle: numberPattern.test(vehicle) ? vehicle : null,
    view: parseViewpoint(params.get('view')),
    filter: states.length === 0 && flag === null && alarms.length === 0 ? everything : { states, flag, alarms },
  }
}

/** The link's parameters with some parts changed; parameters of others stay as they are. */
export function writeLink(params: URLSearchParams, change: Partial<MapLink>): URLSearchParams {
  const next = new URLSearchParams(params)
  if (change.vehicle !== undefined) put(next, 'vehicle', change.vehicle)
  if (change.view !== undefined) put(next, 'view', change.view === null ? null : formatViewpoint(change.view))
  if (change.filter !== undefined) {
    put(next, 'show', change.filter.states.length === 0 ? null : change.filter.states.join(','))
    put(next, 'flag', change.filter.flag)
    put(next, 'alarm', change.filter.alarms.length === 0 ? null : change.filter.alarms.join(','))
  }
  return next
}

const commandParam = 'command'

/** The address of a vehicle on the map with a command to be confirmed: it names the vehicle, so it holds for no other one. */
export const commandLink = (kind: CommandKind, number: string): string =>
  `/vehicle/operation-map?${String(new URLSearchParams({ vehicle: number, [commandParam]: `${kind} ${number}` }))}`

/** The command that the address asks for this vehicle. */
export const askedCommand = (params: URLSearchParams, number: string): CommandKind | null =>
  commandKinds.find((kind) => params.get(commandParam) === `${kind} ${number}`) ?? null

function put(params: URLSearchParams, name: string, value: string | null): void {
  if (value === null) params.delete(name)
  else params.set(name, value)
}
