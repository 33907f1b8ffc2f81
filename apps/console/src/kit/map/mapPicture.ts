import { openMap } from './openMap.ts'
import type { MapTheme } from './palette.ts'
import { shownBasemap, zoomLimits } from './shownBasemap.ts'
import { buildStyle } from './style.ts'
import type { MapViewpoint } from './view.ts'

interface PictureOptions {
  readonly theme: MapTheme
  readonly viewpoint: MapViewpoint
  /** In pixels of the page. */
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
  readonly signal: AbortSignal
}

/** Tiles that have not come by then are left out of the picture. */
const patienceMs = 20_000

/**
 * Draws the basemap once and lets go of the map: a picture costs nothing to show, however long a page stays open. Null where
 * there is no basemap or no WebGL, or the signal was raised.
 */
export async function drawMapPicture(options: PictureOptions): Promise<HTMLCanvasElement | null> {
  const { theme, viewpoint, width, height, pixelRatio, signal } = options
  if (shownBasemap === null || signal.aborted) return null
  const host = document.createElement('div')
  host.style.position = 'fixed'
  host.style.left = '-20000px'
  host.style.width = `${width}px`
  host.style.height = `${height}px`
  host.setAttribute('aria-hidden', 'true')
  document.body.append(host)
  try {
    const map = openMap(host, {
      style: buildStyle({ theme, basemap: shownBasemap }),
      viewpoint,
      label: '',
      minZoom: zoomLimits.min,
      maxZoom: zoomLimits.max,
      isPrintable: true,
      pixelRatio,
    })
    try {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patienceMs)
        const done = (): void => {
          clearTimeout(timer)
          resolve()
        }
        map.once('idle', done)
        signal.addEventListener('abort', done, { once: true })
      })
      if (signal.aborted) return null
      const drawn = map.getCanvas()
      const picture = document.createElement('canvas')
      picture.width = drawn.width
      picture.height = drawn.height
      picture.getContext('2d')?.drawImage(drawn, 0, 0)
      return picture
    } finally {
      map.remove()
    }
  } catch (error) {
    console.error('the map could not be drawn', error)
    return null
  } finally {
    host.remove()
  }
}
