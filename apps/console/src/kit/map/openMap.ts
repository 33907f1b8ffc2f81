import { Map as MapLibre, prewarm, setWorkerUrl, type StyleSpecification } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import type { MapViewpoint } from './view.ts'

setWorkerUrl(workerUrl)
// The worker starts while the page around the map is put together.
if (typeof Worker === 'function') prewarm()

export interface OpenMapOptions {
  readonly style: StyleSpecification
  readonly viewpoint: MapViewpoint
  readonly label: string
  readonly maxZoom: number
  readonly minZoom: number
  /** Makes the map printable; costs a copy of every frame. */
  readonly isPrintable: boolean
  /** That of the screen where absent. */
  readonly pixelRatio?: number
}

/** Opens a map in a node; throws in a browser without WebGL. */
export function openMap(
  node: HTMLDivElement,
  { style, viewpoint, label, minZoom, maxZoom, isPrintable, pixelRatio }: OpenMapOptions,
): MapLibre {
  return new MapLibre({
    container: node,
    style,
    center: [viewpoint.lng, viewpoint.lat],
    zoom: viewpoint.zoom,
    minZoom,
    maxZoom,
    canvasContextAttributes: { preserveDrawingBuffer: isPrintable },
    attributionControl: false,
    ...(pixelRatio !== undefined && { pixelRatio }),
    // Labels that fade at every update of the vehicles would flicker.
    fadeDuration: 0,
    // Operators remember where places are, so north stays up.
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: false,
    locale: { 'Map.Title': label },
  })
}
