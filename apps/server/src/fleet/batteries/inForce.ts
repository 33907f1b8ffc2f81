import type { CurvePoint } from '@saddle/contract/fleet/batteryCurve.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { BatteryScheme } from './rules.ts'

type ModelOfScheme = { readonly model: string; readonly protocol: string }

/** The version that counts for a model at a moment of arrival. */
type SchemeOf = (of: ModelOfScheme, receivedAt: number) => BatteryScheme | null

/** What a version says and when it counts. */
export const schemeColumns = [
  'id',
  'points',
  'hysteresis_percent',
  'load_drop_v',
  'charge_rise_v',
  'models',
  'in_force_from',
  'in_force_until',
] as const

const versionRow = rowOf('voltage_version', 'v', schemeColumns)
  .filled('in_force_from')
  .json<{ points: readonly CurvePoint[]; models: readonly ModelOfScheme[] }>()

const keyOf = ({ model, protocol }: ModelOfScheme): string => `${protocol} ${model}`

/** Versions are read so often. Nobody puts one in force earlier than a minute ahead, so every server knows it by then. */
const readEveryMs = 10_000
/** A batch that waited for the database may hold reports of versions that have ended. */
const keptMs = hourMs

type Span = { readonly from: number; readonly until: number; readonly scheme: BatteryScheme }

/** Reads the versions in force, in the transaction of the reports that they make percentages of. */
export function createSchemes({ clock }: { readonly clock: Clock }): { current(tx: Tx): Promise<SchemeOf | null> } {
  let readAt = Number.NEGATIVE_INFINITY
  let spans: ReadonlyMap<string, readonly Span[]> = new Map()
  const of: SchemeOf = (model, receivedAt) =>
    spans.get(keyOf(model))?.find(({ from, until }) => receivedAt >= from && receivedAt < until)?.scheme ?? null
  return {
    /** Null: there is none at all. */
    async current(tx) {
      const nowMs = clock.now()
      if (Math.abs(nowMs - readAt) >= readEveryMs) {
        const { rows } = await versionRow.select`
          from voltage_version v
          where v.in_force_from is not null
            and (v.in_force_until is null or v.in_force_until > ${new Date(nowMs - keptMs)}::timestamptz)`.execute(tx)
        const found = rows.flatMap((row) => row.models.map((model) => [keyOf(model), spanOf(row)] as const))
        spans = new Map(
          Map.groupBy(found, ([key]) => key)
            .entries()
            .map(([key, all]) => [key, all.map(([, span]) => span)]),
        )
        readAt = nowMs
      }
      return spans.size === 0 ? null : of
    },
  }
}

type VersionRow = RowOf<typeof versionRow>

const spanOf = (row: VersionRow): Span => ({
  from: row.in_force_from.getTime(),
  until: row.in_force_until?.getTime() ?? Number.POSITIVE_INFINITY,
  scheme: schemeOf(row),
})

/** A version as the rule reads it. */
export function schemeOf(
  row: Pick<VersionRow, 'id' | 'points' | 'hysteresis_percent' | 'load_drop_v' | 'charge_rise_v'>,
): BatteryScheme {
  return {
    versionId: row.id,
    points: row.points,
    hysteresisPercent: row.hysteresis_percent,
    loadDropV: row.load_drop_v,
    chargeRiseV: row.charge_rise_v,
  }
}
