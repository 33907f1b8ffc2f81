import { useMemo, type ReactNode } from 'react'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import FocusMap from '#kit/map/FocusMap.tsx'
import { GeoLayers } from '#kit/map/GeoLayers.tsx'
import { useTheme } from '#kit/theme/settings.ts'
import { boxOf, featuresOf, layersOf } from './taskLayers.ts'

/** Around a single point, so that the streets beside it are seen. */
const aroundDegrees = 0.002

/** Where the vehicle of one task stands, and where it is to be brought. */
export default function TaskPlaceMap({ task }: { readonly task: Task }): ReactNode {
  const theme = useTheme().appearance
  const data = useMemo(() => featuresOf([task], serverNow()), [task])
  const layers = useMemo(() => layersOf(theme), [theme])
  const focus = useMemo(() => {
    const box = boxOf([task], true)
    if (box === null) return null
    const { west, east, south, north } = box
    return {
      west: west - aroundDegrees,
      east: east + aroundDegrees,
      south: south - aroundDegrees,
      north: north + aroundDegrees,
    }
  }, [task])
  return (
    <FocusMap label={t('任务位置')} focus={focus}>
      <GeoLayers id="task" data={data} layers={layers} />
    </FocusMap>
  )
}
