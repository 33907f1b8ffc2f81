import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, crc32, deflateSync, inflateSync } from 'node:zlib'
import type { Locator } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

/** One grey picture for every tile, and the recorded requests. */
const asked: string[] = []
const provider = await serveTiles()
const { port } = provider.address() as AddressInfo
const site = openSite({
  env: {
    MAP_TILES_URL: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`,
    MAP_TILES_DATUM: 'gcj02',
    MAP_TILES_ATTRIBUTION: '某地图 GS(2026)0001号',
  },
})

afterAll(() => {
  provider.close()
})

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function greyPng(size: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([8, 0, 0, 0, 0], 8)
  // Each row begins with the number of its filter, which is none.
  const rows = Buffer.alloc((size + 1) * size, 0x80)
  for (let row = 0; row < size; row += 1) rows[row * (size + 1)] = 0
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([magic, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

async function serveTiles(): Promise<Server> {
  const picture = greyPng(256)
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' })
    response.end(picture)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** A few pixels in the middle of the map, between the streets that are not there. */
async function middleOf(canvas: Locator) {
  const box = await canvas.boundingBox()
  if (box === null) throw new Error('the map has no place on the page')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: 4, height: 4 }
}

/** Whether the picture, a PNG of one colour, has the provider's grey. */
function greyOf(picture: Buffer): boolean {
  const at = picture.indexOf('IDAT')
  const rows = inflateSync(picture.subarray(at + 4, at + 4 + picture.readUInt32BE(at - 4)), {
    finishFlush: constants.Z_SYNC_FLUSH,
  })
  return [1, 2, 3].every((byte) => Math.abs((rows[byte] ?? 0) - 0x80) < 4)
}

test('a provider that draws in GCJ-02 is shifted under the vehicles, and named', async () => {
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/vehicle/operation-map?lat=31.26&lng=120.72&zoom=16')
  await page.getByText('某地图 GS(2026)0001号').waitFor()
  const canvas = page.locator('canvas.maplibregl-canvas')
  await canvas.waitFor()
  await expect.poll(() => asked.length).toBeGreaterThan(8)
  expect(asked.filter((path) => !/^\/\d+\/\d+\/\d+\.png$/.test(path))).toEqual([])
  // The map shows the pictures: its middle has their grey.
  await expect.poll(async () => greyOf(await page.screenshot({ clip: await middleOf(canvas) }))).toBe(true)
})
