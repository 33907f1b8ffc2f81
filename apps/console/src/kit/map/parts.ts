import type { Map as MapLibre } from 'maplibre-gl'

/**
 * Something a page puts on the map: sources, layers, pictures. `add` runs again after every change of style,
 * which throws away all that was there, so it must be able to run on a bare style.
 */
export interface MapPart {
  readonly id: string
  readonly add: (map: MapLibre) => void
  readonly remove: (map: MapLibre) => void
}

export interface MapParts {
  /** A style has been loaded: puts everything on it. */
  readonly addAll: (map: MapLibre) => void
  /** The style, and with it all that was on the map, is gone. */
  readonly lost: () => void
  readonly install: (part: MapPart) => void
  /** Takes a part off, a moment later and unless it came back or the map is only hidden. */
  readonly release: (id: string) => void
}

export function createParts({ isHidden }: { isHidden: () => boolean }): MapParts {
  const parts = new Map<string, MapPart>()
  const released = new Set<string>()
  /** The map while its style is loaded. */
  let ready: MapLibre | null = null

  /** Hiding a tab runs the same clean-ups as taking a layer away; only then is the map out of sight. */
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
