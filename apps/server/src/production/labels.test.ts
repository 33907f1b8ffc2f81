import { inflateSync } from 'node:zlib'
import decodeQR from 'qr/decode.js'
import { expect, test } from 'vitest'
import { labelSheet, labelsOfSheet } from './labels/sheet.ts'

type Rect = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** The ink of each page: the rectangles of its content, in points from the top left. */
function pagesOf(pdf: Buffer): Rect[][] {
  const text = pdf.toString('latin1')
  const pages: Rect[][] = []
  for (const { index } of text.matchAll(/\/Filter \/FlateDecode\n>>\nstream\n/g)) {
    const from = text.indexOf('stream\n', index) + 'stream\n'.length
    const content = inflateSync(pdf.subarray(from, text.indexOf('\nendstream', from))).toString('latin1')
    const rects = [...content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map(([, ...numbers]) => {
      const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number)
      return { x, y, width, height }
    })
    if (rects.length > 0) pages.push(rects)
  }
  return pages
}

const pixelsPerPoint = 6

/** A picture of a part of the page, as a camera over the label would take it; read by the scanner's own reader. */
function readAt(rects: readonly Rect[], { x, y, width, height }: Rect): string {
  const size = { width: Math.ceil(width * pixelsPerPoint), height: Math.ceil(height * pixelsPerPoint) }
  const data = new Uint8ClampedArray(size.width * size.height * 4).fill(255)
  for (const rect of rects) {
    const left = Math.round((rect.x - x) * pixelsPerPoint)
    const right = Math.round((rect.x + rect.width - x) * pixelsPerPoint)
    const top = Math.round((rect.y - y) * pixelsPerPoint)
    const bottom = Math.round((rect.y + rect.height - y) * pixelsPerPoint)
    for (let row = Math.max(0, top); row < Math.min(size.height, bottom); row += 1) {
      for (let column = Math.max(0, left); column < Math.min(size.width, right); column += 1) {
        data.fill(0, (row * size.width + column) * 4, (row * size.width + column) * 4 + 3)
      }
    }
  }
  return decodeQR({ ...size, data })
}

const pt = 72 / 25.4
const labelsFor = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    code: `https://example.com/r?n=SD10${String(index).padStart(4, '0')}`,
    title: `SD10${String(index).padStart(4, '0')}`,
    lines: ['IMEI 490154203237518', 'SN QX-0001'],
  }))

test.each([
  ['grid_24', 3, 70, 37],
  ['grid_40', 4, 52.5, 29.7],
  ['grid_65', 5, 38.1, 21.2],
] as const)('every label of a sheet of %s is read by the scanner', async (sheet, columns, width, height) => {
  const perPage = labelsOfSheet(sheet)
  const skip = 2
  const labels = labelsFor(perPage)
  const pages = pagesOf(await labelSheet({ labels, sheet, skip }))
  expect(pages.length).toBe(2)
  const left = (210 - columns * width) / 2
  const top = (297 - (perPage / columns) * height) / 2
  const read = labels.map((_, index) => {
    const place = (index + skip) % perPage
    const rects = pages[Math.floor((index + skip) / perPage)] ?? []
    return readAt(rects, {
      x: (left + (place % columns) * width) * pt,
      y: (top + Math.floor(place / columns) * height) * pt,
      width: width * pt,
      height: height * pt,
    })
  })
  expect(read).toEqual(labels.map(({ code }) => code))
})
