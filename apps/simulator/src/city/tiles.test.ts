import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { demoCity } from '@saddle/contract/demo/city.ts'
import { makeCity } from './city.ts'
import { tileLayers } from './features.ts'
import { cityTiles, maxTileZoom, minTileZoom, writeCity, type CityDescription } from './tiles.ts'

let out = ''
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'city-tiles-'))
})
afterEach(() => rm(out, { recursive: true, force: true }))

describe('cityTiles', () => {
  const tiles = [...cityTiles(makeCity())]

  it('draws the same tiles every time', () => {
    expect([...cityTiles(makeCity())]).toEqual(tiles)
  })

  it('has all layers where they belong', () => {
    const seen = new Map<string, Set<number>>()
    const values = new Map<string, Set<unknown>>()
    for (const { z, data } of tiles) {
      const tile = new VectorTile(new PbfReader(data))
      for (const [name, layer] of Object.entries(tile.layers)) {
        seen.set(name, (seen.get(name) ?? new Set()).add(z))
        expect(layer.version).toBe(2)
        expect(layer.extent).toBe(4096)
        for (let i = 0; i < layer.length; i++) {
          const { properties, type } = layer.feature(i)
          expect(type).toBeGreaterThan(0)
          for (const [key, value] of Object.entries(properties)) {
            values.set(`${name}.${key}`, (values.get(`${name}.${key}`) ?? new Set()).add(value))
          }
        }
      }
    }
    expect([...seen.keys()].toSorted()).toEqual(Object.keys(tileLayers).toSorted())
    const declared = Object.entries(tileLayers).flatMap(([layer, keys]) => keys.map((key) => `${layer}.${key}`))
    expect([...values.keys()].toSorted()).toEqual(declared.toSorted())
    expect(Math.min(...seen.get('building')!)).toBe(14)
    for (const layer of ['land', 'water', 'road', 'place']) {
      expect([...seen.get(layer)!].toSorted((a, b) => a - b)).toEqual([8, 9, 10, 11, 12, 13, 14, 15])
    }
    expect([...values.get('road.class')!].map(String).toSorted()).toEqual([
      'path',
      'primary',
      'residential',
      'secondary',
      'tertiary',
      'trunk',
    ])
  })

  it('keeps every tile small', () => {
    expect(Math.min(...tiles.map(({ z }) => z))).toBe(minTileZoom)
    expect(Math.max(...tiles.map(({ z }) => z))).toBe(maxTileZoom)
    for (const { data } of tiles) expect(data.length).toBeLessThan(150_000)
  })
})

describe('writeCity', () => {
  const describeCity = async () => JSON.parse(await readFile(join(out, 'city.json'), 'utf8')) as CityDescription
  const tileCount = async () => (await readdir(out, { recursive: true })).filter((name) => name.endsWith('.pbf')).length

  it('writes once, then leaves what is up to date alone', async () => {
    const first = await writeCity({ out })
    const description = await describeCity()
    expect(description).toMatchObject({ ...demoCity, version: first.version, tileCount: first.written })
    expect(await tileCount()).toBe(first.written)
    expect(await stat(join(out, '12', '3421', '1672.pbf'))).toBeTruthy()

    expect(await writeCity({ out })).toEqual({ written: 0, version: first.version })
  })

  it('draws again for another seed and after a crash in the middle', async () => {
    const first = await writeCity({ out })
    const other = await writeCity({ out, seed: 5 })
    expect(other.version).not.toBe(first.version)
    expect((await describeCity()).seed).toBe(5)
    expect(await tileCount()).toBe(other.written)

    await writeFile(join(out, 'city.json'), '{"version":"')
    expect((await writeCity({ out, seed: 5 })).written).toBe(other.written)
  })
})
