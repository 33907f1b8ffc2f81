import type { Map as MapLibre } from 'maplibre-gl'
import type { MapTheme } from '#kit/map/palette.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'
import {
  badgeBox,
  badgeColour,
  badgeShapes,
  contrastColour,
  headingShape,
  quietColour,
  shapeBox,
  shapes,
  stateColour,
} from './shapes.ts'
import { batteryIconAt, batterySteps, iconSpecs, quietIcon, type BadgeName } from './symbol.ts'

/** Pictures are drawn at twice their size on the page, sharp enough on dense screens. */
const density = 2
/** Room for the shadow around the shape, in box units. */
const margin = 3

type Pictures = ReadonlyMap<string, ImageData>

const drawn = new Map<MapTheme, Pictures>()

/** Puts every picture of the vehicle layers into the map's style. */
export function addVehicleIcons(map: MapLibre, theme: MapTheme): void {
  for (const [name, picture] of vehicleIcons(theme)) {
    if (map.hasImage(name)) map.removeImage(name)
    map.addImage(name, picture, { pixelRatio: density })
  }
}

/** The pictures of a theme, drawn once. */
export function vehicleIcons(theme: MapTheme): Pictures {
  const known = drawn.get(theme)
  if (known !== undefined) return known
  const pictures = new Map<string, ImageData>()
  const keep = (name: string, picture: ImageData | null): void => {
    if (picture !== null) pictures.set(name, picture)
  }
  for (const { name, state, heading } of iconSpecs) {
    const shape = heading ? headingShape : shapes[state]
    keep(name, drawing({ ...shape, box: shapeBox, colour: stateColour(state, theme), theme }))
  }
  const dot = 'M16 11a5 5 0 1 1 0 10a5 5 0 1 1 0-10Z'
  keep(quietIcon, drawing({ outline: dot, glyph: '', box: shapeBox, colour: quietColour[theme], theme }))
  for (let step = 0; step <= batterySteps; step += 1) {
    for (const mark of ['available', 'lowBattery'] as const) {
      const name = batteryIconAt(step, mark === 'lowBattery')
      keep(name, batteryRing(step / batterySteps, markStyles[mark][theme], theme))
    }
  }
  for (const badge of Object.keys(badgeShapes) as BadgeName[]) {
    keep(`badge-${badge}`, drawing({ ...badgeShapes[badge], box: badgeBox, colour: badgeColour(badge, theme), theme }))
  }
  drawn.set(theme, pictures)
  return pictures
}

/** Draws on a square canvas of the page's memory, not of the graphics card, whose pictures are slow to read back. */
function penOf(side: number): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  pen?.scale(density, density)
  return pen
}

/** Pictures are wider than the marks that they surround. */
const ringBox = 42
const ringRadius = 18.5
const ringWidth = 3.4

/** How full the battery is, as an arc from the top; what is low is told by colour and by how little of it there is. */
function batteryRing(share: number, colour: string, theme: MapTheme): ImageData | null {
  const side = ringBox * density
  const pen = penOf(side)
  if (pen === null) return null
  const arc = (to: number, ink: string, width: number): void => {
    pen.beginPath()
    pen.arc(ringBox / 2, ringBox / 2, ringRadius, -Math.PI / 2, -Math.PI / 2 + to * 2 * Math.PI)
    pen.strokeStyle = ink
    pen.lineWidth = width
    pen.stroke()
  }
  arc(1, contrastColour[theme], ringWidth + 1.4)
  arc(1, theme === 'light' ? '#d5dce2' : '#2c3742', ringWidth)
  if (share > 0) arc(share, colour, ringWidth)
  return pen.getImageData(0, 0, side, side)
}

interface Drawing {
  readonly outline: string
  readonly glyph: string
  readonly glyphFilled?: true
  readonly hollow?: true
  readonly box: number
  readonly colour: string
  readonly theme: MapTheme
}

function drawing({ outline, glyph, glyphFilled, hollow, box, colour, theme }: Drawing): ImageData | null {
  const side = (box + 2 * margin) * density
  const pen = penOf(side)
  if (pen === null) return null
  pen.translate(margin, margin)
  pen.lineJoin = 'round'
  pen.lineCap = 'round'
  const contrast = contrastColour[theme]
  const small = box < shapeBox
  const path = new Path2D(outline)

  pen.shadowColor = theme === 'light' ? 'rgba(16,30,54,0.35)' : 'rgba(0,0,0,0.7)'
  pen.shadowBlur = small ? 2 : 5
  pen.shadowOffsetY = 1.5 * density
  pen.strokeStyle = contrast
  pen.lineWidth = small ? 2 : 3.6
  pen.stroke(path)
  pen.shadowColor = 'transparent'
  pen.fillStyle = hollow ? contrast : colour
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
  pen.fill(path)
  if (hollow) {
    pen.strokeStyle = colour
    pen.lineWidth = 2.6
    pen.stroke(path)
  }
  const ink = hollow ? colour : contrast
  const mark = new Path2D(glyph)
  pen.fillStyle = ink
  pen.strokeStyle = ink
  pen.lineWidth = small ? 1.7 : 2.5
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
  if (glyphFilled) pen.fill(mark)
  pen.stroke(mark)
  return pen.getImageData(0, 0, side, side)
}
