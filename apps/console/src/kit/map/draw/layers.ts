import type { PartLayer } from '#kit/map/GeoLayers.tsx'

const accent = '#0958d9'
const wrong = '#c4232b'
const cut = '#8a3ffc'

/** Colours of a drawing: one if valid, another if it cannot be saved. Pieces and handles also differ in shape. */
export function drawLayers(isWrong: boolean): readonly PartLayer[] {
  const colour = isWrong ? wrong : accent
  const is = (...kinds: readonly string[]) => ['in', ['get', 'kind'], ['literal', [...kinds]]] as never
  const dot = (id: string, kinds: readonly string[], paint: Record<string, unknown>) =>
    ({ id: `draw-${id}`, type: 'circle', filter: is(...kinds), paint }) as PartLayer
  return [
    { id: 'draw-fill', type: 'fill', filter: is('area'), paint: { 'fill-color': colour, 'fill-opacity': 0.18 } },
    { id: 'draw-other', type: 'fill', filter: is('other'), paint: { 'fill-color': cut, 'fill-opacity': 0.2 } },
    {
      id: 'draw-line',
      type: 'line',
      filter: is('area', 'other'),
      paint: { 'line-color': ['match', ['get', 'kind'], 'other', cut, colour] as never, 'line-width': 2.4 },
    },
    {
      id: 'draw-draft',
      type: 'line',
      filter: is('draft'),
      paint: { 'line-color': colour, 'line-width': 2.4, 'line-dasharray': [2, 1.5] },
    },
    dot('placed', ['placed'], { 'circle-radius': 4, 'circle-color': colour }),
    dot('first', ['first'], {
      'circle-radius': 7,
      'circle-color': '#ffffff',
      'circle-stroke-color': colour,
      'circle-stroke-width': 3,
    }),
    dot('centre', ['centre'], {
      'circle-radius': 6,
      'circle-color': colour,
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 2,
    }),
    dot('middle', ['middle'], {
      'circle-radius': 4,
      'circle-color': '#ffffff',
      'circle-opacity': 0.8,
      'circle-stroke-color': colour,
      'circle-stroke-width': 1,
    }),
    dot('rim', ['rim'], {
      'circle-radius': 7,
      'circle-color': '#ffffff',
      'circle-stroke-color': colour,
      'circle-stroke-width': 2,
    }),
    dot('corner', ['corner'], {
      'circle-radius': ['case', ['get', 'picked'], 8, 6],
      'circle-color': ['case', ['get', 'picked'], colour, '#ffffff'],
      'circle-stroke-color': colour,
      'circle-stroke-width': 2,
    }),
    {
      id: 'draw-number',
      type: 'symbol',
      filter: is('area', 'other'),
      layout: { 'text-field': ['get', 'name'], 'text-size': 15 },
      paint: { 'text-color': '#ffffff', 'text-halo-color': cut, 'text-halo-width': 2 },
    },
  ]
}
