import type { VoltageScheme } from '@saddle/contract/production/voltage.ts'
import type { VoltageState, VoltageVersion } from '@saddle/contract/production/voltageWords.ts'
import type { Direction } from '@saddle/contract/list.ts'
import type { CountedModel, ReplayRow, SchemeRow, VersionRow } from './store.ts'

/** What may be told of models: the platform's people see all, others those of their vehicles. */
export type Visibility = { readonly isPlatform: boolean; readonly models: readonly CountedModel[] }

type Model = Pick<CountedModel, 'model' | 'protocol'>
const isSame = (one: Model, other: Model): boolean => one.model === other.model && one.protocol === other.protocol
const seenModels = ({ isPlatform, models }: Visibility, of: VersionRow): VersionRow['models'] =>
  of.models.filter((model) => isPlatform || models.some((seen) => isSame(seen, model)))

/** Whether somebody may see the version: one of its models is theirs. */
export const isSeen = (visibility: Visibility, version: VersionRow): boolean =>
  seenModels(visibility, version).length > 0

export function stateOf({ in_force_from: from, in_force_until: until }: VersionRow, nowMs: number): VoltageState {
  if (from === null) return 'draft'
  if (until !== null && (until.getTime() <= nowMs || until.getTime() === from.getTime())) return 'ended'
  return from.getTime() > nowMs ? 'waiting' : 'in_force'
}

const order: readonly VoltageState[] = ['in_force', 'waiting', 'draft', 'ended']

/** A scheme by the version that says most of it now; null where the caller may see none of its versions. */
export function presentScheme(
  scheme: SchemeRow,
  versions: readonly VersionRow[],
  { visibility, nowMs }: { readonly visibility: Visibility; readonly nowMs: number },
): VoltageScheme | null {
  const seen = versions.filter((version) => isSeen(visibility, version))
  if (seen.length === 0 && !visibility.isPlatform) return null
  const states = seen.map((version) => ({ version, state: stateOf(version, nowMs) }))
  const [first] = states.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
  const models = first === undefined ? [] : seenModels(visibility, first.version)
  return {
    id: scheme.id,
    name: scheme.name,
    cells: scheme.cells,
    note: scheme.note,
    state: first?.state ?? 'draft',
    number: first?.version.number ?? null,
    emptyV: first?.version.points[0]?.voltageV ?? null,
    fullV: first?.version.points.at(-1)?.voltageV ?? null,
    from: first?.version.in_force_from?.getTime() ?? null,
    models: [...new Set(models.map(({ model }) => model))],
    vehicles: visibility.models
      .filter((counted) => models.some((model) => isSame(model, counted)))
      .reduce((sum, { vehicles }) => sum + vehicles, 0),
    hasDraft: states.some(({ state }) => state === 'draft'),
    createdAt: scheme.created_at.getTime(),
    maySet: visibility.isPlatform,
  }
}

export function presentVersion(
  row: VersionRow,
  {
    visibility,
    nowMs,
    vehicles,
    replay,
  }: {
    readonly visibility: Visibility
    readonly nowMs: number
    readonly vehicles: number
    readonly replay: ReplayRow | undefined
  },
): VoltageVersion {
  return {
    id: row.id,
    number: row.number,
    revision: row.revision,
    state: stateOf(row, nowMs),
    from: row.in_force_from?.getTime() ?? null,
    until: row.in_force_until?.getTime() ?? null,
    points: row.points,
    hysteresisPercent: row.hysteresis_percent,
    loadDropV: row.load_drop_v,
    chargeRiseV: row.charge_rise_v,
    models: seenModels(visibility, row),
    changedAt: row.changed_at.getTime(),
    changedBy: visibility.isPlatform ? row.changed_by : null,
    decidedBy: visibility.isPlatform ? row.decided_by : null,
    vehicles,
    replay: replay?.state ?? null,
    isReplayed: replay?.state === 'done' && replay.revision === row.revision,
  }
}

/** In the order that the list is asked for; equal ones by name. */
export function sortedSchemes(
  rows: readonly VoltageScheme[],
  sort: 'vehicles' | 'name',
  direction: Direction,
): readonly VoltageScheme[] {
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => {
    const byName = one.name < other.name ? -1 : Number(one.name > other.name)
    return sort === 'name' ? sign * byName : sign * (one.vehicles - other.vehicles) || byName
  })
}
