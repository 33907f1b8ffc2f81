import type { ReactNode } from 'react'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { MapControls, MapScale } from '#kit/map/MapControls.tsx'
import { MapView } from '#kit/map/MapView.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { FenceLayer } from '../layers/FenceLayer.tsx'
import { HexLayer } from '../layers/HexLayer.tsx'
import { HexLegend } from '../layers/HexLegend.tsx'

interface Cell {
  readonly cell: string
  readonly count: number
  readonly ring: readonly (readonly [number, number])[]
}

const cityZoom = 12.2

/** Vehicle density, with the fences in force. */
export default function DensityMap({ cells, theme }: { cells: readonly Cell[]; theme: MapTheme }): ReactNode {
  const { city } = clientConfig()
  const initial = city === null ? { lng: 105, lat: 35, zoom: 4 } : { ...city.centre, zoom: cityZoom }
  return (
    <MapView label={t('停放密度')} theme={theme} initial={initial}>
      <FenceLayer theme={theme} />
      <HexLayer cells={cells} theme={theme} />
      <MapControls home={city?.bounds ?? null} />
      <footer className="map-foot">
        <MapScale />
        <HexLegend title={t('停放车辆')} cells={cells} theme={theme} />
      </footer>
    </MapView>
  )
}
