import type { Map as MapLibre, MapMouseEvent, MapTouchEvent, PointLike } from 'maplibre-gl'
import type { Corner, Corners } from './corners.ts'
import {
  circleTo,
  dragged,
  metresBetween,
  radiusMinM,
  radiusUsualM,
  type Handle,
  type Picked,
  type Sketch,
} from './sketch.ts'
import type { Tool } from './useDrawing.ts'

type PointerEvent = MapMouseEvent | MapTouchEvent

/** The current drawing. */
interface Current {
  readonly sketch: Sketch | null
  readonly tool: Tool
  readonly draft: Corners
  readonly onChange: (next: Sketch) => void
  readonly onPlace: (corner: Corner) => void
  readonly onPick: (picked: Picked | null) => void
  readonly onFinish: () => void
}
export interface PointerInput {
  readonly now: () => Current
  /** The place of an event, snapped to a line nearby. */
  readonly snap: (event: PointerEvent) => Corner
  readonly onHold: (sketch: Sketch | null) => void
  readonly onPointer: (corner: Corner | null) => void
}

/** A finger needs a larger hit area than a mouse. */
const reachPx = { mouse: 8, touch: 22 } as const
/** Closing a line has a larger hit area. */
const closePx = { mouse: 14, touch: 26 } as const
const pointerOf = ({ originalEvent }: MapMouseEvent): 'mouse' | 'touch' =>
  'pointerType' in originalEvent && originalEvent.pointerType === 'touch' ? 'touch' : 'mouse'

type Hold =
  | { readonly kind: 'handle'; readonly handle: Handle; readonly from: Sketch; next: Sketch | null }
  | { readonly kind: 'circle'; readonly centre: Corner; next: Sketch | null }

/** Handles mouse and touch on the map until the returned function is called. */
export function bindPointer(map: MapLibre, input: PointerInput): () => void {
  let hold: Hold | null = null
  const canvas = map.getCanvas()
  const isPlacing = (): boolean => ['polygon', 'hole', 'cut'].includes(input.now().tool)

  const grab = (event: PointerEvent, reach: number): void => {
    const { tool, sketch, onPick } = input.now()
    if (tool === 'circle') {
      event.preventDefault()
      hold = { kind: 'circle', centre: input.snap(event), next: null }
      return
    }
    if (tool !== 'edit' || sketch === null) return
    const handle = handleAt(map, event.point, reach)
    if (handle === null) return
    event.preventDefault()
    hold = { kind: 'handle', handle, from: sketch, next: null }
    onPick('line' in handle ? pickedOf(handle) : null)
  }
  const move = (event: PointerEvent): void => {
    if (hold === null) {
      if (isPlacing()) input.onPointer(input.snap(event))
      canvas.style.cursor = cursorOf(map, event, input.now().tool)
      return
    }
    const to = input.snap(event)
    hold.next = hold.kind === 'circle' ? circleTo(hold.centre, to) : dragged(hold.from, hold.handle, to)
    input.onHold(hold.next)
  }
  const release = (): void => {
    if (hold === null) return
    const done = hold
    hold = null
    input.onHold(null)
    if (done.kind === 'circle') input.now().onChange(done.next ?? tapped(done.centre))
    else if (done.next !== null) input.now().onChange(done.next)
  }
  const click = (event: MapMouseEvent): void => {
    const { tool, draft, onPlace, onPick, onFinish } = input.now()
    if (isPlacing()) {
      if (tool !== 'cut' && draft.length >= 3 && isNear(map, draft[0], event, closePx[pointerOf(event)]))
        return onFinish()
      // The second click of a double click finishes the line and adds no corner.
      if (isNear(map, draft.at(-1), event, 4)) return
      return onPlace(input.snap(event))
    }
    if (tool === 'edit' && handleAt(map, event.point, reachPx[pointerOf(event)]) === null) onPick(null)
  }
  const twice = (): void => {
    if (isPlacing()) input.now().onFinish()
  }
  const down = (event: MapMouseEvent): void => {
    if (event.originalEvent.button === 0) grab(event, reachPx.mouse)
  }
  const touch = (event: MapTouchEvent): void => {
    if (event.points.length === 1) grab(event, reachPx.touch)
  }
  /** A phone call or a system gesture cancels the touch: the dragged handle returns to its place. */
  const cancel = (): void => {
    if (hold === null) return
    hold = null
    input.onHold(null)
  }
  const leave = (): void => input.onPointer(null)
  map.on('mousedown', down)
  map.on('touchstart', touch)
  map.on('mousemove', move)
  map.on('touchmove', move)
  map.on('click', click)
  map.on('dblclick', twice)
  map.on('mouseout', leave)
  // A handle may be released outside the map.
  globalThis.addEventListener('mouseup', release)
  globalThis.addEventListener('touchend', release)
  globalThis.addEventListener('touchcancel', cancel)
  return () => {
    map.off('mousedown', down)
    map.off('touchstart', touch)
    map.off('mousemove', move)
    map.off('touchmove', move)
    map.off('click', click)
    map.off('dblclick', twice)
    map.off('mouseout', leave)
    globalThis.removeEventListener('mouseup', release)
    globalThis.removeEventListener('touchend', release)
    globalThis.removeEventListener('touchcancel', cancel)
    canvas.style.cursor = ''
  }
}

/** Dragging a middle adds the new corner after it. */
const pickedOf = ({ kind, line, index }: Extract<Handle, { readonly line: number }>): Picked => ({
  line,
  index: kind === 'middle' ? index + 1 : index,
})

function tapped(centre: Corner): Sketch {
  const circle = circleTo(centre, centre)
  return circle.radiusM <= radiusMinM ? { ...circle, radiusM: radiusUsualM } : circle
}

function isNear(map: MapLibre, corner: Corner | undefined, { point }: PointerEvent, px: number): boolean {
  if (corner === undefined) return false
  const { x, y } = map.project([corner[0], corner[1]])
  return Math.hypot(x - point.x, y - point.y) <= px
}

function cursorOf(map: MapLibre, event: PointerEvent, tool: Tool): string {
  if (tool !== 'edit') return 'crosshair'
  return handleAt(map, event.point, reachPx.mouse) === null ? '' : 'move'
}

const layers = { corner: 'draw-corner', rim: 'draw-rim', middle: 'draw-middle', centre: 'draw-centre' } as const

/** The handle at a point: corners before middles, and the centre last. */
function handleAt(map: MapLibre, { x, y }: { readonly x: number; readonly y: number }, reach: number): Handle | null {
  if (map.getLayer(layers.corner) === undefined) return null
  const box: [PointLike, PointLike] = [
    [x - reach, y - reach],
    [x + reach, y + reach],
  ]
  for (const kind of ['corner', 'rim', 'middle', 'centre'] as const) {
    const found = map.queryRenderedFeatures(box, { layers: [layers[kind]] })
    const near = found.toSorted((a, b) => awayOf(map, a.geometry, { x, y }) - awayOf(map, b.geometry, { x, y }))[0]
    if (near === undefined) continue
    const { line, index } = near.properties
    return kind === 'corner' || kind === 'middle' ? { kind, line: Number(line), index: Number(index) } : { kind }
  }
  return null
}

function awayOf(
  map: MapLibre,
  geometry: { readonly type: string; readonly coordinates?: unknown },
  at: { readonly x: number; readonly y: number },
): number {
  const place: unknown = geometry.coordinates
  if (!Array.isArray(place)) return Infinity
  const { x, y } = map.project([Number(place[0]), Number(place[1])])
  return Math.hypot(x - at.x, y - at.y)
}

/** Moves a picked corner by a number of pixels. */
export function nudged(map: MapLibre, corner: Corner, [right, down]: readonly [number, number]): Corner {
  const { x, y } = map.project([corner[0], corner[1]])
  const { lng, lat } = map.unproject([x + right, y + down])
  // At a close zoom one pixel may be less than the precision of a coordinate.
  return metresBetween(corner, [lng, lat]) < 0.1 ? [corner[0] + right * 2e-6, corner[1] - down * 2e-6] : [lng, lat]
}
