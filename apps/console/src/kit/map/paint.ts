import type { Map as MapLibre } from 'maplibre-gl'
import { basemapSource } from './style.ts'

const holders = new WeakMap<MapLibre, number>()

/** Keeps a map from being drawn until all who hold it have let go. Returns what lets go. */
export function holdPainting(map: MapLibre): () => void {
  const before = holders.get(map) ?? 0
  holders.set(map, before + 1)
  if (before === 0) map.triggerRepaint = () => {}
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    const left = (holders.get(map) ?? 1) - 1
    holders.set(map, left)
    if (left > 0) return
    // The method of the class is seen again.
    Reflect.deleteProperty(map, 'triggerRepaint')
    map.triggerRepaint()
  }
}

/** On a slow line the map is drawn as it comes. */
const heldAtMostMs = 1_000

/**
 * From the first tile that is asked for until all of the view are there, a map is not drawn: the frames in between show little,
 * and by software each of them costs as much as the whole.
 */
export function holdForTiles(map: MapLibre): void {
  const begin = ({ sourceId, tile }: { readonly sourceId: string; readonly tile?: unknown }): void => {
    if (sourceId !== basemapSource || tile === undefined) return
    map.off('sourcedataloading', begin)
    const letGo = holdPainting(map)
    const end = (): void => {
      clearTimeout(timer)
      map.off('sourcedata', look)
      letGo()
    }
    const look = (): void => {
      if (map.getSource(basemapSource) !== undefined && map.isSourceLoaded(basemapSource)) end()
    }
    const timer = setTimeout(end, heldAtMostMs)
    map.on('sourcedata', look)
  }
  map.on('sourcedataloading', begin)
}

const cheapMs = 40
const restMaxMs = 500

/**
 * After a frame that took long, a map rests for as long: where it is drawn by software, half of the page's time is left to what a
 * person does on the page, and a click on another page is not kept waiting. While a person moves the map it does not rest.
 */
export function paceFrames(map: MapLibre): void {
  map.on('render', () => {
    const begun = performance.now()
    // Runs when the frame is on the screen: by software the page waits for its pixels.
    setTimeout(() => {
      const tookMs = performance.now() - begun
      if (tookMs < cheapMs || map.isMoving()) return
      setTimeout(holdPainting(map), Math.min(tookMs, restMaxMs))
    }, 0)
  })
}
