import { useMemo, type ReactNode } from 'react'
import { fenceEndpoints } from '@saddle/contract/geography/fences.ts'
import type { ParkApplication } from '@saddle/contract/operations/parkApplications.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import FocusMap from '#kit/map/FocusMap.tsx'
import { FencePreview } from '#kit/map/FencePreview.tsx'
import { FenceShapes } from '#kit/map/FenceShapes.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'

const aroundDegrees = 0.003

type Wanted = Pick<ParkApplication, 'areaId' | 'name' | 'lat' | 'lng' | 'radiusM'>

/** Where the place is to be, among the fences that are in force. */
export default function ParkMap({ park }: { readonly park: Wanted }): ReactNode {
  const { areaId, name, lat, lng, radiusM } = park
  const theme = useTheme().appearance
  const { data } = useEndpoint(fenceEndpoints.listFences, { areaId }, { quiet: true, staleMs: minuteMs })
  const focus = useMemo(
    () => ({
      west: lng - aroundDegrees,
      east: lng + aroundDegrees,
      south: lat - aroundDegrees,
      north: lat + aroundDegrees,
    }),
    [lat, lng],
  )
  const wanted = useMemo(
    () => [{ name, ring: null, holes: [], centre: { lat, lng }, radiusM }],
    [name, lat, lng, radiusM],
  )
  return (
    <FocusMap label={t('停车点位置')} focus={focus}>
      <FenceShapes list={data?.data.list ?? []} theme={theme} />
      <FencePreview id="park" list={wanted} />
    </FocusMap>
  )
}
