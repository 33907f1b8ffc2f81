import type { Map as MapLibre, StyleSpecification } from 'maplibre-gl'
import { whenIdle } from '#kit/idle.ts'
import { openMap, type OpenMapOptions } from './openMap.ts'
import { holdForTiles, holdPainting, paceFrames } from './paint.ts'
import { createParts, type MapPart } from './parts.ts'
import { basemapSource } from './style.ts'

/**
 * Owns one map and its DOM node longer than effects live: hiding a tab runs effect clean-ups, and a map removed
 * each time would lose its view, its tiles and a WebGL context. The node moves into the host that shows it;
 * after the host has left the document the map waits for the next page that shows one.
 */
export interface MapHolder {
  /** Shows the map in a host and creates it the first time; null if the browser has no WebGL. */
  readonly attach: (host: HTMLElement, options: OpenMapOptions) => MapLibre | null
  /** An effect ended: the map stays for later, or is left to the next page if its host is gone. */
  readonly detach: () => void
  readonly setStyle: (style: StyleSpecification) => void
  readonly install: (part: MapPart) => void
  /** Takes a part off unless the map is only hidden. */
  readonly release: (id: string) => void
}

export function createMapHolder(): MapHolder {
  let node: HTMLDivElement | null = null
  let host: HTMLElement | null = null
  let map: MapLibre | null = null
  let style: StyleSpecification | null = null
  let isPrintable = false
  let attached = false
  const parts = createParts({ isHidden: () => host === null || !host.checkVisibility() })

  const onStyle = () => map !== null && parts.addAll(map)
  const create = (options: OpenMapOptions): MapLibre | null => {
    style = options.style
    isPrintable = options.isPrintable
    const left = takeSpare(options)
    if (left !== null) {
      ;({ map, node } = left)
      left.wake()
      host?.append(node)
      reopen(left, options, onStyle)
      return map
    }
    node = document.createElement('div')
    node.className = 'map-node'
    host?.append(node)
    try {
      map = openMap(node, options)
    } catch (error) {
      console.error('the map could not be opened', error)
      node.remove()
      node = null
      return null
    }
    map.on('style.load', onStyle)
    holdForTiles(map)
    paceFrames(map)
    tellWhenReady(map, node)
    return map
  }

  /** React removes the host from the document after the clean-ups, so this checks a moment later. */
  const settle = () => {
    if (attached || host?.isConnected === true) return
    if (map !== null && node !== null && style !== null) {
      map.off('style.load', onStyle)
      node.remove()
      keepSpare({ map, node, style, isPrintable, wake: sleeping(map, parts.leave()) })
    }
    map = null
    node = null
  }

  const holder: MapHolder = {
    attach(next, options) {
      attached = true
      host = next
      if (map === null || node === null) return create(options)
      host.append(node)
      map.resize()
      return map
    },
    detach() {
      attached = false
      map?.stop()
      setTimeout(settle, 0)
    },
    setStyle(next) {
      if (map === null || next === style) return
      style = next
      parts.lost()
      map.setStyle(next, { diff: false })
    },
    install: parts.install,
    release: parts.release,
  }
  return holder
}

interface Spare {
  readonly map: MapLibre
  readonly node: HTMLDivElement
  readonly style: StyleSpecification
  readonly isPrintable: boolean
  /** Lets the map be drawn again, and takes the parts of its last page off. */
  readonly wake: () => void
}

/**
 * The map of the page that was left last. Taking a map down costs a second or more where it is drawn by software, and the
 * next page would wait for that; and the next map is there at once, with the tiles that it has. One is kept, for a while.
 */
let spare: Spare | null = null
let spareTimer: ReturnType<typeof setTimeout> | undefined
export const spareForMs = 5 * 60_000

function keepSpare(left: Spare): void {
  const before = spare
  spare = left
  clearTimeout(spareTimer)
  spareTimer = setTimeout(() => {
    spare = null
    whenIdle(() => left.map.remove())
  }, spareForMs)
  if (before !== null) whenIdle(() => before.map.remove())
}

/**
 * A map that nobody sees is not drawn: by software a frame of it would hold up the page that was opened instead. Returns what
 * ends that, and then takes off what the last page had put on it.
 */
function sleeping(map: MapLibre, takeOff: () => void): () => void {
  const letGo = holdPainting(map)
  return () => {
    letGo()
    takeOff()
  }
}

function takeSpare({ isPrintable, pixelRatio }: OpenMapOptions): Spare | null {
  if (spare === null || spare.isPrintable !== isPrintable || pixelRatio !== undefined) return null
  const left = spare
  spare = null
  clearTimeout(spareTimer)
  return left
}

/** Shows the map of an earlier page as a new one: its view, its name, and its style if that is another one. */
function reopen({ map, node, style: before }: Spare, options: OpenMapOptions, onStyle: () => void): void {
  const { style, viewpoint, label, minZoom, maxZoom } = options
  node.removeAttribute('data-map-ready')
  delete node.dataset['selected']
  map.getCanvas().setAttribute('aria-label', label)
  map.setMinZoom(minZoom)
  map.setMaxZoom(maxZoom)
  map.resize()
  map.jumpTo({ center: [viewpoint.lng, viewpoint.lat], zoom: viewpoint.zoom })
  map.on('style.load', onStyle)
  const isSame = map.isStyleLoaded() === true && JSON.stringify(style) === JSON.stringify(before)
  if (!isSame) {
    tellWhenReady(map, node)
    map.setStyle(style, { diff: false })
    return
  }
  onStyle()
  tellOnRender(map, node)
  map.triggerRepaint()
}

/** Marks the node once the first view is drawn with all tiles. `load` never fires while vehicles move. */
function tellWhenReady(map: MapLibre, node: HTMLElement): void {
  map.once('style.load', () => tellOnRender(map, node))
}

function tellOnRender(map: MapLibre, node: HTMLElement): void {
  const look = () => {
    if (map.getSource(basemapSource) !== undefined && !map.isSourceLoaded(basemapSource)) return
    map.off('render', look)
    node.setAttribute('data-map-ready', 'true')
  }
  map.on('render', look)
}
