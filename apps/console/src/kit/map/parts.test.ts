import type { Map as MapLibre } from 'maplibre-gl'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createParts } from './parts.ts'

/** Parts only hand the map on; nothing of it is called here. */
const map = {} as MapLibre
const part = (id = 'vehicles') => ({ id, add: vi.fn(), remove: vi.fn() })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('parts of a map', () => {
  it('waits for the style and comes back with every further one', () => {
    const parts = createParts({ isHidden: () => false })
    const vehicles = part()
    parts.install(vehicles)
    expect(vehicles.add).not.toHaveBeenCalled()
    parts.addAll(map)
    parts.lost()
    parts.addAll(map)
    expect(vehicles.add).toHaveBeenCalledTimes(2)
  })

  it('replaces a part of the same name', () => {
    const parts = createParts({ isHidden: () => false })
    const [before, after] = [part(), part()]
    parts.addAll(map)
    parts.install(before)
    parts.install(before)
    parts.install(after)
    expect(before.add).toHaveBeenCalledTimes(1)
    expect(before.remove).toHaveBeenCalledTimes(1)
    expect(after.add).toHaveBeenCalledTimes(1)
  })

  it('takes a released part off, but not when it comes back at once', () => {
    const parts = createParts({ isHidden: () => false })
    const vehicles = part()
    parts.addAll(map)
    parts.install(vehicles)
    parts.release('vehicles')
    parts.install(vehicles)
    vi.runAllTimers()
    expect(vehicles.remove).not.toHaveBeenCalled()
    parts.release('vehicles')
    vi.runAllTimers()
    expect(vehicles.remove).toHaveBeenCalledTimes(1)
  })

  it('keeps everything while the map is only hidden', () => {
    let hidden = true
    const parts = createParts({ isHidden: () => hidden })
    const vehicles = part()
    parts.addAll(map)
    parts.install(vehicles)
    parts.release('vehicles')
    vi.runAllTimers()
    hidden = false
    parts.install(vehicles)
    vi.runAllTimers()
    expect(vehicles.remove).not.toHaveBeenCalled()
    expect(vehicles.add).toHaveBeenCalledTimes(1)
  })

  it('stays on a map that another page will use until it is taken off', () => {
    const parts = createParts({ isHidden: () => false })
    const [vehicles, after] = [part(), part()]
    parts.addAll(map)
    parts.install(vehicles)
    const takeOff = parts.leave()
    expect(vehicles.remove).not.toHaveBeenCalled()
    parts.install(after)
    takeOff()
    expect(vehicles.remove).toHaveBeenCalledExactlyOnceWith(map)
    expect(after.remove).not.toHaveBeenCalled()
  })
})
