import type { Map as MapLibre } from 'maplibre-gl'

/**
 * Something a page puts on the map: sources, layers, pictures. `add` runs again after every change of style,
 * which removes everything, so it must work on an empty style.
 */
export interface MapPart {
  readonly id: string
  readonly add: (map: MapLibre) => void
  readonly remove: (map: MapLibre) => void
}

export interface MapParts {
  /** A style has been loaded: adds all parts to it. */
  readonly addAll: (map: MapLibre) => void
  /** Leaves the map to another page. Returns what takes everything off it, which draws it once more. */
  readonly leave: () => () => void
  /** The style is gone, and with it everything on the map. */
  readonly lost: () => void
  readonly install: (part: MapPart) => void
  /** Removes a part a moment later, unless it is installed again or the map is only hidden. */
  readonly release: (id: string) => void
}

export function createParts({ isHidden }: { isHidden: () => boolean }): MapParts {
  const parts = new Map<string, MapPart>()
  const released = new Set<string>()
  /** The map while its style is loaded. */
  let ready: MapLibre | null = null

  /** Hiding a tab runs the same clean-ups as removing a layer; the two differ in the map's visibility. */
  const settle = () => {
    if (isHidden()) return
    for (const id of released) {
      const part = parts.get(id)
      parts.delete(id)
      if (ready !== null) part?.remove(ready)
    }
    released.clear()
  }

  return {
    addAll(map) {
      ready = map
      for (const part of parts.values()) part.add(map)
    },
    leave() {
      const [left, map] = [[...parts.values()], ready]
      parts.clear()
      released.clear()
      ready = null
      return () => {
        if (map !== null) for (const part of left) part.remove(map)
      }
    },
    lost() {
      ready = null
    },
    install(part) {
      released.delete(part.id)
      const known = parts.get(part.id)
      parts.set(part.id, part)
      if (ready === null || known === part) return
      known?.remove(ready)
      part.add(ready)
    },
    release(id) {
      released.add(id)
      setTimeout(settle, 0)
    },
  }
}
