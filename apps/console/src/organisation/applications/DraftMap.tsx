import type { ComponentProps, ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import type { MapBounds } from '#kit/map/view.ts'
import { BoundaryLayer } from '#kit/map/draw/BoundaryLayer.tsx'
import FocusMap from '#kit/map/FocusMap.tsx'

interface Props extends ComponentProps<typeof BoundaryLayer> {
  readonly focus: MapBounds
  readonly onView: (bounds: MapBounds) => void
}

/** The draft of the first boundary on the map. */
export default function DraftMap({ focus, onView, ...layer }: Props): ReactNode {
  return (
    <FocusMap label={t('边界编辑')} focus={focus} onView={onView}>
      <BoundaryLayer {...layer} />
    </FocusMap>
  )
}
