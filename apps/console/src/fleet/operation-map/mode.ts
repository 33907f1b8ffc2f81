import { heatKinds, type HeatKind } from '@saddle/contract/fleet/analysis.ts'
import type { LiveFilter } from '@saddle/contract/telemetry/live.ts'
import type { Filter } from './filter.ts'

/** What else the map shows, and which vehicles of it: `?layers=fences,demand&battery=30&idle=12&area=31&model=SD-E2&at=…`. */
export interface MapMode {
  readonly fences: boolean
  readonly heat: HeatKind | null
  /** At most this battery. */
  readonly batteryTo: number | null
  /** Standing for at least so many hours. */
  readonly idleHours: number | null
  readonly areaIds: readonly number[]
  readonly models: readonly string[]
  /** The moment of the past that is shown; null: now. */
  readonly at: number | null
}

const whole = (text: string | null, max: number): number | null =>
  text !== null && /^\d{1,15}$/.test(text) && Number(text) <= max ? Number(text) : null
const listed = (text: string | null): string[] => (text ?? '').split(',').filter((part) => part !== '')

/** Parts that make no sense are left out rather than refused. */
export function readMode(params: URLSearchParams): MapMode {
  const layers = new Set(listed(params.get('layers')))
  return {
    fences: layers.has('fences'),
    heat: heatKinds.find((kind) => layers.has(kind)) ?? null,
    batteryTo: whole(params.get('battery'), 100),
    idleHours: whole(params.get('idle'), 8_760),
    areaIds: listed(params.get('area')).flatMap((id) => whole(id, Number.MAX_SAFE_INTEGER) ?? []),
    models: listed(params.get('model')).filter((name) => name.length <= 40),
    at: whole(params.get('at'), 8.64e15),
  }
}

export function writeMode(params: URLSearchParams, change: Partial<MapMode>): URLSearchParams {
  const next = new URLSearchParams(params)
  const mode = { ...readMode(params), ...change }
  const put = (name: string, value: string): void => {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  put('layers', [...(mode.fences ? ['fences'] : []), ...(mode.heat === null ? [] : [mode.heat])].join(','))
  put('battery', mode.batteryTo === null ? '' : String(mode.batteryTo))
  put('idle', mode.idleHours === null ? '' : String(mode.idleHours))
  put('area', mode.areaIds.join(','))
  put('model', mode.models.join(','))
  put('at', mode.at === null ? '' : String(mode.at))
  return next
}

export const narrowings = (mode: MapMode): number =>
  (mode.batteryTo === null ? 0 : 1) +
  (mode.idleHours === null ? 0 : 1) +
  (mode.areaIds.length > 0 ? 1 : 0) +
  (mode.models.length > 0 ? 1 : 0)

/** The conditions in the words of the live socket. States and flags go along, so that clusters count what is wanted. */
export function liveFilterOf(filter: Filter, mode: MapMode): LiveFilter | undefined {
  const wanted: LiveFilter = {
    ...(filter.states.length > 0 && { states: [...filter.states] }),
    ...(filter.flag !== null && { flag: filter.flag }),
    ...(filter.alarms.length > 0 && { alarms: [...filter.alarms] }),
    ...(mode.batteryTo !== null && { batteryTo: mode.batteryTo }),
    ...(mode.idleHours !== null && mode.idleHours > 0 && { idleMinutes: mode.idleHours * 60 }),
    ...(mode.areaIds.length > 0 && { areaIds: [...mode.areaIds] }),
    ...(mode.models.length > 0 && { models: [...mode.models] }),
  }
  return Object.keys(wanted).length === 0 ? undefined : wanted
}
