import { screenCellDegrees, type OperationsScreen } from '@saddle/contract/reports/screens.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'
import type { Project } from './projection.ts'

type CityMap = OperationsScreen['map']

/** A round light: drawn once and stamped. */
export function lightOf(colour: string, radius: number): HTMLCanvasElement {
  const light = document.createElement('canvas')
  light.width = radius * 2
  light.height = radius * 2
  const context = light.getContext('2d')
  if (context === null) return light
  const gradient = context.createRadialGradient(radius, radius, 0, radius, radius, radius)
  gradient.addColorStop(0, colour)
  gradient.addColorStop(1, 'transparent')
  context.fillStyle = gradient
  context.fillRect(0, 0, radius * 2, radius * 2)
  return light
}

const heatColour = 'rgba(62, 207, 154, 1)'
const rideColour = markStyles.onTrip.dark
const flowColour = '#7fd4ff'

/** Density of vehicles, squares with rides, and the lines of the flows: drawn anew with each answer. */
export function drawDensity(context: CanvasRenderingContext2D, map: CityMap, project: Project): void {
  const { width, height } = context.canvas
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, width, height)
  context.scale(width / sizeOf(context).width, height / sizeOf(context).height)
  const most = Math.max(1, ...map.cells.map(({ vehicles }) => vehicles))
  const heat = lightOf(heatColour, 32)
  const ride = lightOf(rideColour, 16)
  context.globalCompositeOperation = 'lighter'
  for (const cell of map.cells) {
    const [x, y] = project(cell)
    const radius = Math.max(10, cellPx(cell, project) * 0.95)
    context.globalAlpha = 0.1 + 0.5 * Math.sqrt(cell.vehicles / most)
    context.drawImage(heat, x - radius, y - radius, radius * 2, radius * 2)
  }
  for (const cell of map.cells) {
    if (cell.onTrip === 0) continue
    const [x, y] = project(cell)
    const radius = Math.min(16, 5 + Math.sqrt(cell.onTrip) * 2.5)
    context.globalAlpha = 0.9
    context.drawImage(ride, x - radius, y - radius, radius * 2, radius * 2)
  }
  context.strokeStyle = flowColour
  for (const arc of arcsOf(map, project)) {
    context.globalAlpha = Math.min(0.55, 0.1 + arc.rides * 0.05)
    context.lineWidth = Math.min(3.5, 0.8 + Math.sqrt(arc.rides) * 0.5)
    context.beginPath()
    context.moveTo(arc.x0, arc.y0)
    context.quadraticCurveTo(arc.cx, arc.cy, arc.x1, arc.y1)
    context.stroke()
  }
  context.globalAlpha = 1
  context.globalCompositeOperation = 'source-over'
}

function sizeOf({ canvas }: CanvasRenderingContext2D): { readonly width: number; readonly height: number } {
  return { width: canvas.clientWidth || canvas.width, height: canvas.clientHeight || canvas.height }
}

function cellPx(at: { readonly lng: number; readonly lat: number }, project: Project): number {
  return project({ lng: at.lng + screenCellDegrees, lat: at.lat })[0] - project(at)[0]
}

/** A bent line from square to square. */
export interface Arc {
  readonly x0: number
  readonly y0: number
  readonly cx: number
  readonly cy: number
  readonly x1: number
  readonly y1: number
  readonly rides: number
  readonly periodMs: number
}

const bend = 0.18
const pxPerSecond = 90

export function arcsOf(map: CityMap, project: Project): Arc[] {
  return map.flows.map(({ from, to, rides }) => {
    const [x0, y0] = project(from)
    const [x1, y1] = project(to)
    const [dx, dy] = [x1 - x0, y1 - y0]
    // Both directions between two squares are bent to different sides.
    const [cx, cy] = [(x0 + x1) / 2 - dy * bend, (y0 + y1) / 2 + dx * bend]
    return { x0, y0, cx, cy, x1, y1, rides, periodMs: Math.max(1_600, (Math.hypot(dx, dy) / pxPerSecond) * 1_000) }
  })
}

/** Lights that move along all arcs together, at most. */
const lightsMax = 260
const lightsOfArcMax = 3
const tail = 5

/** Moves lights along the arcs until it is stopped; nothing is made anew in a frame. */
export function animateFlows(
  context: CanvasRenderingContext2D,
  {
    arcs,
    x,
    y,
    width,
    height,
  }: {
    readonly arcs: readonly Arc[]
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  },
): () => void {
  const lights = arcs
    .flatMap((arc) =>
      Array.from({ length: Math.min(lightsOfArcMax, 1 + Math.floor(Math.log2(arc.rides))) }, (_, index) => ({
        arc,
        offset: (((index * 0.37 + (arc.x0 * 13 + arc.y1 * 7)) % 1) + 1) % 1,
      })),
    )
    .slice(0, lightsMax)
  const light = lightOf('#d9f3ff', 8)
  const scale = context.canvas.width / width
  context.setTransform(scale, 0, 0, scale, -x * scale, -y * scale)
  context.globalCompositeOperation = 'lighter'
  let frame = 0
  const draw = (now: number): void => {
    context.clearRect(x, y, width, height)
    for (const { arc, offset } of lights) {
      for (let step = 0; step < tail; step += 1) {
        const part = ((now / arc.periodMs + offset) % 1) - step * 0.012
        if (part < 0) continue
        const rest = 1 - part
        const px = rest * rest * arc.x0 + 2 * rest * part * arc.cx + part * part * arc.x1
        const py = rest * rest * arc.y0 + 2 * rest * part * arc.cy + part * part * arc.y1
        const size = 11 - step * 1.6
        context.globalAlpha = (1 - step / tail) * Math.min(1, 6 * Math.min(part, rest) + 0.15)
        context.drawImage(light, px - size / 2, py - size / 2, size, size)
      }
    }
    frame = requestAnimationFrame(draw)
  }
  frame = requestAnimationFrame(draw)
  return () => cancelAnimationFrame(frame)
}
