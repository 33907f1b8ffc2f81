import type { ReactNode } from 'react'
import type { AreaRow } from '@saddle/contract/organisation/areas.ts'
import { t } from '#kit/i18n/index.ts'
import type { MapBounds } from '#kit/map/view.ts'
import FocusMap from '#kit/map/FocusMap.tsx'
import { AreaLayer } from './AreaLayer.tsx'

interface Props {
  readonly areas: readonly AreaRow[]
  readonly selected: AreaRow | undefined
  readonly focus: MapBounds | null
  readonly onPick: (area: AreaRow) => void
  readonly onView: (bounds: MapBounds) => void
}

/** The boundaries of the listed areas; a click on one chooses it. */
export default function AreaMap({ areas, selected, focus, onPick, onView }: Props): ReactNode {
  return (
    <FocusMap label={t('服务区边界')} focus={focus} onView={onView}>
      <AreaLayer areas={areas} selectedId={selected?.id ?? null} onPick={onPick} />
    </FocusMap>
  )
}
