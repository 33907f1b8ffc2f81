import type { Map as MapLibre } from 'maplibre-gl'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdForTiles, holdPainting, paceFrames } from './paint.ts'

const paints = vi.fn<() => void>()

/** What these functions need of a map: painting is a method of its class, as in MapLibre. */
class FakeMap {
  readonly listeners = new Map<string, Set<(event: never) => void>>()
  areTilesLoaded = false
  isBeingMoved = false
  triggerRepaint(): void {
    paints()
  }
  on(name: string, listener: (event: never) => void): void {
    this.listeners.set(name, (this.listeners.get(name) ?? new Set()).add(listener))
  }
  off(name: string, listener: (event: never) => void): void {
    this.listeners.get(name)?.delete(listener)
  }
  say(name: string, event: object = {}): void {
    for (const listener of this.listeners.get(name) ?? []) listener(event as never)
  }
  getSource = (): object => ({})
  isSourceLoaded = (): boolean => this.areTilesLoaded
  isMoving = (): boolean => this.isBeingMoved
}

let fake: FakeMap
let map: MapLibre
beforeEach(() => {
  vi.useFakeTimers()
  paints.mockClear()
  fake = new FakeMap()
  map = fake as unknown as MapLibre
})
afterEach(() => void vi.useRealTimers())

const paintsOf = (): number => {
  paints.mockClear()
  map.triggerRepaint()
  return paints.mock.calls.length
}

it('paints again, and at once, when the last of those who hold it has let go', () => {
  const letGo = [holdPainting(map), holdPainting(map)]
  letGo[0]?.()
  letGo[0]?.()
  expect(paintsOf()).toBe(0)
  letGo[1]?.()
  expect(paints).toHaveBeenCalledTimes(1)
  expect(paintsOf()).toBe(1)
})

it('waits for the tiles of the first view, and not for vehicles', () => {
  holdForTiles(map)
  fake.say('sourcedataloading', { sourceId: 'vehicles', tile: {} })
  fake.say('sourcedataloading', { sourceId: 'basemap' })
  expect(paintsOf()).toBe(1)
  fake.say('sourcedataloading', { sourceId: 'basemap', tile: {} })
  fake.say('sourcedata')
  expect(paintsOf()).toBe(0)
  fake.areTilesLoaded = true
  fake.say('sourcedata')
  expect(paintsOf()).toBe(1)
  // Later views are drawn as they come.
  fake.say('sourcedataloading', { sourceId: 'basemap', tile: {} })
  expect(paintsOf()).toBe(1)
})

it('is drawn as it comes where tiles are slow', () => {
  holdForTiles(map)
  fake.say('sourcedataloading', { sourceId: 'basemap', tile: {} })
  vi.advanceTimersByTime(1_000)
  expect(paintsOf()).toBe(1)
})

it('rests after a frame that took long, not after a quick one nor while it is moved', () => {
  paceFrames(map)
  const frame = (tookMs: number): void => {
    fake.say('render')
    vi.setSystemTime(Date.now() + tookMs)
    vi.advanceTimersByTime(0)
  }
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => Date.now())
  frame(10)
  expect(paintsOf()).toBe(1)
  frame(120)
  expect(paintsOf()).toBe(0)
  vi.advanceTimersByTime(120)
  expect(paintsOf()).toBe(1)
  fake.isBeingMoved = true
  frame(120)
  expect(paintsOf()).toBe(1)
  clock.mockRestore()
})
