import type { Map as MapLibre, StyleSpecification } from 'maplibre-gl'
import { openMap, type OpenMapOptions } from './openMap.ts'
import { createParts, type MapPart } from './parts.ts'
import { basemapSource } from './style.ts'

/**
 * Owns one map and its DOM node longer than effects live: hiding a tab runs effect clean-ups, and a map removed
 * each time would lose its view, its tiles and a WebGL context. The node moves into the host that shows it;
 * the map is removed only after the host has left the document.
 */
export interface MapHolder {
  /** Shows the map in a host and creates it the first time; null if the browser has no WebGL. */
  readonly attach: (host: HTMLElement, options: OpenMapOptions) => MapLibre | null
  /** An effect ended: the map stays for later, or is removed if its host is gone. */
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
  let attached = false
  const parts = createParts({ isHidden: () => host === null || !host.checkVisibility() })

  const create = (options: OpenMapOptions): MapLibre | null => {
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
    style = options.style
    const made = map
    made.on('style.load', () => parts.addAll(made))
    tellWhenReady(made, node)
    return made
  }

  /** React removes the host from the document after the clean-ups, so this checks a moment later. */
  const settle = () => {
    if (attached || host?.isConnected === true) return
    parts.lost()
    map?.remove()
    node?.remove()
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

/** Marks the node once the first view is drawn with all tiles. `load` never fires while vehicles move. */
function tellWhenReady(map: MapLibre, node: HTMLElement): void {
  const look = () => {
    if (map.getSource(basemapSource) !== undefined && !map.isSourceLoaded(basemapSource)) return
    map.off('render', look)
    node.setAttribute('data-map-ready', 'true')
  }
  map.once('style.load', () => map.on('render', look))
}
