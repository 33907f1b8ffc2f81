import { screenCellDegrees, type OperationsScreen } from '@saddle/contract/reports/screens.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'
import type { Project } from './projection.ts'

type CityMap = OperationsScreen['map']

const lights = new Map<string, HTMLCanvasElement>()

/** A round light: drawn once for as long as the page is open, and stamped. */
export function lightOf(colour: string, radius: number): HTMLCanvasElement {
  const name = `${colour} ${radius}`
  const light = lights.get(name) ?? drawLightOf(colour, radius)
  lights.set(name, light)
  return light
}

function drawLightOf(colour: string, radius: number): HTMLCanvasElement {
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
const groundColour = '#0a111b'

interface StillParts {
  readonly map: CityMap
  readonly project: Project
  /** The basemap; null: not drawn yet, or there is none. */
  readonly picture: HTMLCanvasElement | null
  /** Pixels of the canvas for one of the stage. */
  readonly scale: number
  /** In pixels of the stage. */
  readonly width: number
  readonly height: number
}

/**
 * All that lies still behind the panels, as one opaque picture: the basemap, the density of vehicles, squares with rides, the lines
 * of the flows and the shade under the panels. Drawn anew with each answer; layers of their own would be blended in every frame.
 */
export function drawGround(
  context: CanvasRenderingContext2D,
  { map, project, picture, scale, width, height }: StillParts,
): void {
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.fillStyle = groundColour
  context.fillRect(0, 0, width, height)
  if (picture !== null) context.drawImage(picture, 0, 0, width, height)
  context.globalCompositeOperation = 'lighter'
  drawCells(context, map, project)
  context.strokeStyle = flowColour
  for (const arc of arcsOf(map, project)) {
    context.globalAlpha = Math.min(0.7, 0.22 + arc.rides * 0.08)
    context.lineWidth = Math.min(4, 1.1 + Math.sqrt(arc.rides) * 0.6)
    context.beginPath()
    context.moveTo(arc.x0, arc.y0)
    context.quadraticCurveTo(arc.cx, arc.cy, arc.x1, arc.y1)
    context.stroke()
  }
  context.globalAlpha = 1
  context.globalCompositeOperation = 'source-over'
  drawShade(context, width, height)
}

function drawCells(context: CanvasRenderingContext2D, { cells }: CityMap, project: Project): void {
  const most = Math.max(1, ...cells.map(({ vehicles }) => vehicles))
  const heat = lightOf(heatColour, 32)
  const ride = lightOf(rideColour, 16)
  for (const cell of cells) {
    const [x, y] = project(cell)
    const radius = Math.max(14, cellPx(cell, project) * 1.3)
    context.globalAlpha = 0.2 + 0.65 * Math.sqrt(cell.vehicles / most)
    context.drawImage(heat, x - radius, y - radius, radius * 2, radius * 2)
  }
  context.globalAlpha = 0.9
  for (const cell of cells) {
    if (cell.onTrip === 0) continue
    const [x, y] = project(cell)
    const radius = Math.min(16, 5 + Math.sqrt(cell.onTrip) * 2.5)
    context.drawImage(ride, x - radius, y - radius, radius * 2, radius * 2)
  }
}

const clear = 'rgba(8, 14, 23, 0)'

/** Dark towards the edges, where panels and the title stand. */
function drawShade(context: CanvasRenderingContext2D, width: number, height: number): void {
  const side = (from: number, to: number): void => {
    const shade = context.createLinearGradient(from, 0, to, 0)
    shade.addColorStop(0, 'rgba(8, 14, 23, 0.94)')
    shade.addColorStop(0.7, 'rgba(8, 14, 23, 0.8)')
    shade.addColorStop(1, clear)
    context.fillStyle = shade
    context.fillRect(Math.min(from, to), 0, Math.abs(to - from), height)
  }
  side(0, 620)
  side(width, width - 620)
  const end = (from: number, to: number): void => {
    const shade = context.createLinearGradient(0, from, 0, to)
    shade.addColorStop(0, 'rgba(8, 14, 23, 0.92)')
    shade.addColorStop(1, clear)
    context.fillStyle = shade
    context.fillRect(0, Math.min(from, to), width, Math.abs(to - from))
  }
  end(0, 150)
  end(height, height - 200)
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
const lightsMax = 140
const lightsOfArcMax = 3
const tail = 3

interface Moving {
  readonly arcs: readonly Arc[]
  /** What lies below: it is copied into every frame, so that nothing has to be blended. */
  readonly ground: HTMLCanvasElement
  readonly scale: number
  /** Where its canvas lies on the stage. */
  readonly x: number
  readonly y: number
}

/** Moves lights along the arcs until it is stopped; nothing is made anew in a frame. */
export function animateFlows(context: CanvasRenderingContext2D, { arcs, ground, scale, x, y }: Moving): () => void {
  const lights = lightsOf(arcs)
  const light = lightOf('#d9f3ff', 8)
  const { width: pxWidth, height: pxHeight } = context.canvas
  let frame = 0
  const draw = (now: number): void => {
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.globalAlpha = 1
    context.globalCompositeOperation = 'copy'
    context.drawImage(ground, x * scale, y * scale, pxWidth, pxHeight, 0, 0, pxWidth, pxHeight)
    context.setTransform(scale, 0, 0, scale, -x * scale, -y * scale)
    context.globalCompositeOperation = 'lighter'
    for (const one of lights) drawLight(context, light, one, now)
    frame = requestAnimationFrame(draw)
  }
  frame = requestAnimationFrame(draw)
  return () => cancelAnimationFrame(frame)
}

interface Light {
  readonly arc: Arc
  readonly offset: number
}

function lightsOf(arcs: readonly Arc[]): Light[] {
  return arcs
    .flatMap((arc) =>
      Array.from({ length: Math.min(lightsOfArcMax, 1 + Math.floor(Math.log2(arc.rides))) }, (_, index) => ({
        arc,
        offset: (((index * 0.37 + arc.x0 * 13 + arc.y1 * 7) % 1) + 1) % 1,
      })),
    )
    .slice(0, lightsMax)
}

function drawLight(
  context: CanvasRenderingContext2D,
  light: HTMLCanvasElement,
  { arc, offset }: Light,
  now: number,
): void {
  for (let step = 0; step < tail; step += 1) {
    const part = ((now / arc.periodMs + offset) % 1) - step * 0.014
    if (part < 0) continue
    const rest = 1 - part
    const px = rest * rest * arc.x0 + 2 * rest * part * arc.cx + part * part * arc.x1
    const py = rest * rest * arc.y0 + 2 * rest * part * arc.cy + part * part * arc.y1
    const size = 12 - step * 2.5
    context.globalAlpha = (1 - step / tail) * Math.min(1, 6 * Math.min(part, rest) + 0.15)
    context.drawImage(light, px - size / 2, py - size / 2, size, size)
  }
}
