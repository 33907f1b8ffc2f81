import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { Basemap } from './basemap.ts'
import { mapPalettes, type MapPalette, type MapTheme } from './palette.ts'
import { shiftedTilesUrl, tileSize } from './shiftedTiles.ts'

/** The style has no glyphs URL, so MapLibre draws every label with local fonts. */
const textFont = ['PingFang SC', 'HarmonyOS Sans SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'sans-serif']
/** The first name only contains the weight, which MapLibre reads from it; the others are the real fonts. */
export const textFontStrong = ['Saddle Semibold', ...textFont]

export const basemapSource = 'basemap'

/** The whole style of the map in one theme. Without a basemap it is a plain background. */
export function buildStyle({ theme, basemap }: { theme: MapTheme; basemap: Basemap | null }): StyleSpecification {
  const palette = mapPalettes[theme]
  const background: LayerSpecification = {
    id: 'background',
    type: 'background',
    paint: { 'background-color': palette.background },
  }
  if (basemap === null) return { version: 8, sources: {}, layers: [background] }
  if (basemap.kind === 'provider') return providerStyle(basemap, background)
  const { bounds, minZoom, maxZoom } = basemap.city
  const land: LayerSpecification = { ...background, paint: { 'background-color': palette.land } }
  return {
    version: 8,
    sources: {
      [basemapSource]: {
        type: 'vector',
        tiles: [absoluteUrl(basemap.tilesUrl)],
        bounds: [bounds.west, bounds.south, bounds.east, bounds.north],
        minzoom: minZoom,
        maxzoom: maxZoom,
      },
    },
    // Past the edge of the city's tiles the land goes on.
    layers: [land, ...groundLayers(palette), ...roadLayers(palette), ...labelLayers(palette)],
  }
}

function providerStyle(
  basemap: Extract<Basemap, { kind: 'provider' }>,
  background: LayerSpecification,
): StyleSpecification {
  const { url, datum, maxZoom } = basemap
  return {
    version: 8,
    sources: {
      [basemapSource]: {
        type: 'raster',
        tiles: [datum === 'gcj02' ? shiftedTilesUrl : url],
        tileSize,
        maxzoom: maxZoom,
      },
    },
    layers: [background, { id: 'provider', type: 'raster', source: basemapSource }],
  }
}

/** The tile worker has another base URL than the page. */
function absoluteUrl(url: string): string {
  return url.startsWith('/') ? `${location.origin}${url}` : url
}

function groundLayers(palette: MapPalette): LayerSpecification[] {
  return [
    fill('land', palette.land, ['!', isBlock]),
    { ...fill('land', palette.block, isBlock), id: 'block' },
    fill('campus', palette.campus),
    fill('park', palette.park),
    fill('water', palette.water),
    {
      ...fill('building', palette.building),
      minzoom: 14,
      paint: {
        'fill-color': palette.building,
        'fill-outline-color': palette.buildingEdge,
        'fill-opacity': ['interpolate', ['linear'], ['zoom'], 14, 0, 15, 1],
      },
    },
  ]
}

/** Land says what kind it is: the whole city, or a built-up block in it. */
const isBlock: ExpressionSpecification = ['!=', ['get', 'kind'], 'city']

function fill(layer: string, colour: string, filter?: ExpressionSpecification) {
  return {
    id: layer,
    type: 'fill',
    source: basemapSource,
    'source-layer': layer,
    ...(filter && { filter }),
    paint: { 'fill-color': colour },
  } satisfies LayerSpecification
}

const classIn = (...classes: readonly string[]): ExpressionSpecification => [
  'in',
  ['get', 'class'],
  ['literal', [...classes]],
]
const isMajor = classIn('trunk', 'primary')
const isMedium = classIn('secondary', 'tertiary')
const isMinor = classIn('residential')
const isFoot = classIn('path')

interface RoadStep {
  readonly id: string
  readonly filter: ExpressionSpecification
  readonly minzoom: number
  /** Widths in pixels at zoom 9, 13, 16 and 19. */
  readonly widths: readonly [number, number, number, number]
  readonly colour: (palette: MapPalette) => string
}

const roadSteps: readonly RoadStep[] = [
  { id: 'minor', filter: isMinor, minzoom: 12, widths: [0, 0.9, 6, 26], colour: (palette) => palette.roadMinor },
  { id: 'medium', filter: isMedium, minzoom: 10, widths: [0.4, 2, 9, 38], colour: (palette) => palette.roadMedium },
  {
    id: 'major',
    filter: classIn('primary'),
    minzoom: 8,
    widths: [0.8, 3, 13, 50],
    colour: (palette) => palette.roadMajor,
  },
  {
    id: 'trunk',
    filter: classIn('trunk'),
    minzoom: 7,
    widths: [1.2, 4, 15, 58],
    colour: (palette) => palette.roadTrunk,
  },
]

function roadLayers(palette: MapPalette): LayerSpecification[] {
  const casings = roadSteps.map((step) => roadLine({ step, colour: palette.roadCasing, casing: true }))
  const fills = roadSteps.map((step) => roadLine({ step, colour: step.colour(palette), casing: false }))
  return [
    {
      id: 'road-foot',
      type: 'line',
      source: basemapSource,
      'source-layer': 'road',
      minzoom: 14,
      filter: isFoot,
      paint: { 'line-color': palette.roadCasing, 'line-width': 1.2, 'line-dasharray': [2, 2] },
    },
    ...casings,
    ...fills,
    railwayLine('railway-bed', { 'line-color': palette.railway, 'line-width': zoomWidth([0.8, 2, 4, 8]) }),
    railwayLine('railway-ties', {
      'line-color': palette.railwayTie,
      'line-width': zoomWidth([0.3, 1, 2.4, 5]),
      'line-dasharray': [4, 4],
    }),
    {
      id: 'area-boundary',
      type: 'line',
      source: basemapSource,
      'source-layer': 'area',
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': palette.area,
        'line-opacity': 0.55,
        'line-width': zoomWidth([0.8, 1.4, 2, 3]),
        'line-dasharray': [4, 2.5],
      },
    },
  ]
}

function roadLine({ step, colour, casing }: { step: RoadStep; colour: string; casing: boolean }): LayerSpecification {
  return {
    id: `road-${step.id}${casing ? '-casing' : ''}`,
    type: 'line',
    source: basemapSource,
    'source-layer': 'road',
    minzoom: casing ? Math.max(step.minzoom, 11) : step.minzoom,
    filter: step.filter,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': colour, 'line-width': zoomWidth(step.widths, casing ? 1.6 : 0) },
  }
}

function railwayLine(id: string, paint: Record<string, unknown>): LayerSpecification {
  return { id, type: 'line', source: basemapSource, 'source-layer': 'railway', minzoom: 9, paint }
}

function zoomWidth(widths: readonly [number, number, number, number], more = 0): ExpressionSpecification {
  const [far, city, street, door] = widths.map((width) => width + more)
  return ['interpolate', ['exponential', 1.5], ['zoom'], 9, far ?? 1, 13, city ?? 1, 16, street ?? 1, 19, door ?? 1]
}

function labelLayers(palette: MapPalette): LayerSpecification[] {
  return [
    roadLabel(palette),
    placeLabel({ kind: 'park', size: [10.5, 13], colour: palette.parkText, palette }),
    placeLabel({ kind: 'campus', size: [10.5, 13], colour: palette.text, palette }),
    placeLabel({ kind: 'water', size: [11, 15], colour: palette.waterText, palette }),
    {
      ...label({ id: 'label-station', layer: 'station', size: [11, 13], colour: palette.textStrong, palette }),
      filter: ['has', 'name'],
    },
    placeLabel({ kind: 'district', size: [11.5, 16], colour: palette.textStrong, palette, strong: true }),
    {
      ...placeLabel({ kind: 'city', size: [15, 20], colour: palette.textStrong, palette, strong: true }),
      maxzoom: 12.5,
    },
  ]
}

function roadLabel(palette: MapPalette): LayerSpecification {
  return {
    id: 'label-road',
    type: 'symbol',
    source: basemapSource,
    'source-layer': 'road',
    minzoom: 13,
    filter: ['all', ['has', 'name'], ['any', isMajor, isMedium, ['>=', ['zoom'], 15.5]]],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 320,
      'text-field': ['get', 'name'],
      'text-font': textFont,
      'text-size': ['interpolate', ['linear'], ['zoom'], 13, 10, 17, 13],
      'text-letter-spacing': 0.04,
    },
    paint: { 'text-color': palette.text, 'text-halo-color': palette.halo, 'text-halo-width': 1.4 },
  }
}

interface LabelStep {
  readonly size: readonly [number, number]
  readonly colour: string
  readonly palette: MapPalette
  readonly strong?: boolean
}

function placeLabel({ kind, ...step }: LabelStep & { readonly kind: string }) {
  return {
    ...label({ id: `label-${kind}`, layer: 'place', ...step }),
    filter: ['==', ['get', 'kind'], kind],
  } satisfies LayerSpecification
}

function label({ id, layer, size, colour, palette, strong = false }: LabelStep & { id: string; layer: string }) {
  return {
    id,
    type: 'symbol',
    source: basemapSource,
    'source-layer': layer,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': strong ? textFontStrong : textFont,
      'text-size': ['interpolate', ['linear'], ['zoom'], 11, size[0], 16, size[1]],
      'text-max-width': 8,
      'text-padding': 6,
      'text-letter-spacing': strong ? 0.08 : 0.02,
    },
    paint: { 'text-color': colour, 'text-halo-color': palette.halo, 'text-halo-width': 1.5 },
  } satisfies LayerSpecification
}
