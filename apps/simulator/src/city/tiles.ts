import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import GeoJSONVT, { type LegacyFeature, type LegacyTile } from 'geojson-vt'
import vtpbf from 'vt-pbf'
import { cityFrame, cityName, makeCity, type City } from './city.ts'
import { cityFeatures, tileLayers, type MapFeature } from './features.ts'
import { cityCentre, toLngLat } from './geometry.ts'
import { citySeed } from './plan.ts'

export const minTileZoom = 8
export const maxTileZoom = 15

/** What `city.json` says; the console's map style and the server's tile route read it. */
export type CityDescription = {
  name: string
  seed: number
  /** Changes with the seed and with the program that draws the city. */
  version: string
  bounds: { west: number; south: number; east: number; north: number }
  centre: { lat: number; lng: number }
  minZoom: number
  maxZoom: number
  tileCount: number
  layers: { [layer: string]: readonly string[] }
}

export type Tile = { z: number; x: number; y: number; data: Uint8Array }

function cityBounds(): CityDescription['bounds'] {
  const corners = cityFrame.map(toLngLat)
  const lngs = corners.map(([lng]) => lng)
  const lats = corners.map(([, lat]) => lat)
  return { west: Math.min(...lngs), south: Math.min(...lats), east: Math.max(...lngs), north: Math.max(...lats) }
}

const tileX = (lng: number, z: number) => Math.floor(((lng + 180) / 360) * 2 ** z)
const tileY = (lat: number, z: number) => {
  const phi = (lat * Math.PI) / 180
  return Math.floor(((1 - Math.asinh(Math.tan(phi)) / Math.PI) / 2) * 2 ** z)
}

function indexOf(features: readonly MapFeature[]) {
  const tagged = features.map(({ feature, layer, minZoom }) => ({
    ...feature,
    properties: { ...feature.properties, layer, minZoom },
  }))
  return new GeoJSONVT(
    { type: 'FeatureCollection', features: tagged },
    { maxZoom: maxTileZoom, indexMaxZoom: 5, tolerance: 4, buffer: 96 },
  )
}

/** Sorts a tile's features into their layers and takes off the tags that only steered the tiling. */
function layersOf(features: readonly LegacyFeature[], z: number, into: Map<string, LegacyFeature[]>): void {
  for (const feature of features) {
    const { layer, minZoom, ...tags } = feature.tags ?? {}
    if (typeof layer !== 'string' || Number(minZoom) > z) continue
    const list = into.get(layer)
    if (list) list.push({ ...feature, tags })
    else into.set(layer, [{ ...feature, tags }])
  }
}

/** Every tile of the city that has something on it. */
export function* cityTiles(city: City): Generator<Tile> {
  const features = cityFeatures(city)
  const detail = maxTileZoom - 1
  const general = indexOf(features.filter(({ minZoom }) => minZoom < detail))
  const detailed = indexOf(features.filter(({ minZoom }) => minZoom >= detail))
  const { west, south, east, north } = cityBounds()
  for (let z = minTileZoom; z <= maxTileZoom; z++) {
    for (let x = tileX(west, z); x <= tileX(east, z); x++) {
      for (let y = tileY(north, z); y <= tileY(south, z); y++) {
        const found = new Map<string, LegacyFeature[]>()
        layersOf(general.getTile(z, x, y)?.features ?? [], z, found)
        if (z >= detail) layersOf(detailed.getTile(z, x, y)?.features ?? [], z, found)
        const layers: Record<string, LegacyTile> = {}
        for (const layer of Object.keys(tileLayers)) {
          const list = found.get(layer)
          if (list) layers[layer] = { features: list }
        }
        if (found.size > 0) yield { z, x, y, data: vtpbf.fromGeojsonVt(layers, { version: 2, extent: 4096 }) }
      }
    }
  }
}

/** Streets with a name, as GeoJSON. */
function streetsOf(city: City) {
  const features = cityFeatures(city).flatMap(({ layer, feature }) => {
    const name = feature.properties?.['name']
    if (layer !== 'road' || typeof name !== 'string') return []
    return [{ type: 'Feature' as const, properties: { name }, geometry: feature.geometry }]
  })
  return { type: 'FeatureCollection' as const, features }
}

/** A hash of the seed and of everything that draws the city, so that stale tiles are noticed without drawing. */
async function cityVersion(seed: number): Promise<string> {
  const hash = createHash('sha256').update(String(seed))
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const own = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).toSorted()
  const shared = fileURLToPath(import.meta.resolve('@saddle/contract/demo/city.ts'))
  for (const path of [...own.map((name) => join(folder, name)), shared]) hash.update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}

async function currentVersion(out: string): Promise<string | null> {
  try {
    const known: unknown = JSON.parse(await readFile(join(out, 'city.json'), 'utf8'))
    return known instanceof Object && 'version' in known && typeof known.version === 'string' ? known.version : null
  } catch {
    // Missing, or cut off while it was written: the tiles are drawn again.
    return null
  }
}

/**
 * Writes the tiles as `<out>/{z}/{x}/{y}.pbf` (uncompressed vector tiles, version 2), the named streets as
 * `<out>/streets.geojson`, from which the server tells the road of a place, and `<out>/city.json`. Does nothing when they
 * are up to date. city.json is removed first and written last, so that an incomplete city is noticed.
 */
export async function writeCity({
  out,
  seed = citySeed,
}: {
  out: string
  seed?: number
}): Promise<{ written: number; version: string }> {
  const version = await cityVersion(seed)
  if ((await currentVersion(out)) === version) return { written: 0, version }
  await rm(join(out, 'city.json'), { force: true })
  for (let z = minTileZoom; z <= maxTileZoom; z++) await rm(join(out, String(z)), { recursive: true, force: true })
  const folders = new Set<string>()
  let written = 0
  const city = makeCity(seed)
  for (const { z, x, y, data } of cityTiles(city)) {
    const folder = join(out, String(z), String(x))
    if (!folders.has(folder)) await mkdir(folder, { recursive: true })
    folders.add(folder)
    await writeFile(join(folder, `${y}.pbf`), data)
    written++
  }
  await writeFile(join(out, 'streets.geojson'), JSON.stringify(streetsOf(city)))
  const description: CityDescription = {
    name: cityName,
    seed,
    version,
    bounds: cityBounds(),
    centre: { ...cityCentre },
    minZoom: minTileZoom,
    maxZoom: maxTileZoom,
    tileCount: written,
    layers: tileLayers,
  }
  const draft = join(out, `city.json.${process.pid}`)
  await writeFile(draft, `${JSON.stringify(description, null, 2)}\n`)
  await rename(draft, join(out, 'city.json'))
  return { written, version }
}
