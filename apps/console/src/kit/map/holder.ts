import { Map as MapLibre, setWorkerUrl, type StyleSpecification } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import type { MapViewpoint } from './view.ts'

setWorkerUrl(workerUrl)

/**
 * Something a page puts on the map: sources, layers, pictures. `add` runs again after every change of style,
 * which throws away all that was there, so it must be able to run on a bare style.
 */
export interface MapPart {
  readonly id: string
  readonly add: (map: MapLibre) => void
  readonly remove: (map: MapLibre) => void
}

export interface MapHolderOptions {
  readonly style: StyleSpecification
  readonly viewpoint: MapViewpoint
  readonly label: string
  readonly maxZoom: number
  readonly minZoom: number
}

/**
 * Owns one map and its DOM node beyond the life of effects: hiding a tab runs effect clean-ups, and a map that died
 * each time would lose its view, its tiles and a WebGL context. The node moves into whatever host shows it;
 * the map ends only once the host has left the document.
 */
export interface MapHolder {
  /** Shows the map in a host, making it at first; null where the browser gives no WebGL. */
  readonly attach: (host: HTMLElement, options: MapHolderOptions) => MapLibre | null
  /** An effect ended: the map rests, or ends when its host is gone. */
  readonly detach: () => void
  readonly map: () => MapLibre | null
  readonly setStyle: (style: StyleSpecification) => void
  readonly install: (part: MapPart) => void
  /** Takes a part off unless the map is only hidden. */
  readonly release: (id: string) => void
}

/** Holders whose map is alive; the pages' tests look at it for leaks. */
export const livingMaps = new Set<MapHolder>()

export function createMapHolder(): MapHolder {
  const parts = new Map<string, MapPart>()
  const released = new Set<string>()
  let node: HTMLDivElement | null = null
  let host: HTMLElement | null = null
  let map: MapLibre | null = null
  let style: StyleSpecification | null = null
  let styleReady = false
  let attached = false

  const addParts = () => {
    styleReady = true
    if (map === null) return
    for (const part of parts.values()) part.add(map)
  }

  const create = (options: MapHolderOptions): MapLibre | null => {
    node = document.createElement('div')
    node.className = 'map-node'
    host?.append(node)
    try {
      map = openMap(node, options)
    } catch {
      node.remove()
      node = null
      return null
    }
    style = options.style
    map.on('style.load', addParts)
    map.once('load', () => node?.parentElement?.setAttribute('data-map-ready', 'true'))
    livingMaps.add(holder)
    return map
  }

  const dispose = () => {
    map?.remove()
    node?.remove()
    map = null
    node = null
    styleReady = false
    livingMaps.delete(holder)
  }

  /** React takes the host out of the document after it ran the clean-ups, so the question is asked a moment later. */
  const settle = () => {
    if (attached) return
    if (host === null || !host.isConnected) dispose()
  }

  const settleParts = () => {
    const hidden = host === null || !host.checkVisibility()
    if (hidden) return
    for (const id of released) {
      const part = parts.get(id)
      parts.delete(id)
      if (map !== null && styleReady) part?.remove(map)
    }
    released.clear()
  }

  const holder: MapHolder = {
    attach(next, options) {
      attached = true
      host = next
      if (map === null || node === null) return create(options)
      host.append(node)
      if (map.loaded()) host.setAttribute('data-map-ready', 'true')
      map.resize()
      return map
    },
    detach() {
      attached = false
      map?.stop()
      setTimeout(settle, 0)
    },
    map: () => map,
    setStyle(next) {
      if (map === null || next === style) return
      style = next
      styleReady = false
      map.setStyle(next, { diff: false })
    },
    install(part) {
      const known = parts.get(part.id)
      released.delete(part.id)
      parts.set(part.id, part)
      if (map === null || !styleReady) return
      if (known !== undefined && known !== part) known.remove(map)
      if (known !== part) part.add(map)
    },
    release(id) {
      released.add(id)
      setTimeout(settleParts, 0)
    },
  }
  return holder
}

function openMap(node: HTMLDivElement, { style, viewpoint, label, minZoom, maxZoom }: MapHolderOptions): MapLibre {
  return new MapLibre({
    container: node,
    style,
    center: [viewpoint.lng, viewpoint.lat],
    zoom: viewpoint.zoom,
    minZoom,
    maxZoom,
    attributionControl: false,
    // Labels that fade at every update of the vehicles would flicker.
    fadeDuration: 0,
    // Operators compare places by heart: north stays up.
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: false,
    locale: { 'Map.Title': label },
  })
}
