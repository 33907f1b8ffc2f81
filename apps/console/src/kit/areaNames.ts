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
