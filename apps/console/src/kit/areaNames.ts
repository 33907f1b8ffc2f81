import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

export type AreaNames = ReadonlyMap<number, string>

/** The names of the service areas that the reader may see. */
export function useAreaNames(): AreaNames {
  const { data } = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000, quiet: true })
  return new Map((data?.data.list ?? []).map(({ id, name }) => [id, name]))
}

/** Where something holds: all areas if none are chosen. An area that the reader may not see goes by its number. */
export function areasText(areaIds: readonly number[], names: AreaNames): string {
  return areaIds.length === 0 ? t('全部') : areaIds.map((id) => names.get(id) ?? String(id)).join(t('、'))
}

const briefMax = 2

/** The same for a cell of a list: the first names, and how many more there are. */
export function areasBrief(areaIds: readonly number[], names: AreaNames): string {
  const more = areaIds.length - briefMax
  return more <= 0 ? areasText(areaIds, names) : `${areasText(areaIds.slice(0, briefMax), names)} +${more}`
}
