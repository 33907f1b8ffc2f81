import { inflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createCsv } from './csv.ts'
import { isFormula, type Cell, type Column } from './table.ts'
import { createXlsx, sheetRowsMax } from './xlsx.ts'

const columns: readonly Column[] = [
  { title: '编号', format: 'text' },
  { title: '金额(元)', format: 'money' },
  { title: '时间', format: 'instant' },
  { title: '日期', format: 'date' },
]
const at = Date.UTC(2026, 10, 21, 1, 30, 15)

/** The entries of an archive, by the records at its end. */
function entriesOf(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22
  expect(zip.readUInt32LE(end)).toBe(0x06_05_4b_50)
  const entries = new Map<string, Buffer>()
  let place = zip.readUInt32LE(end + 16)
  for (let n = zip.readUInt16LE(end + 10); n > 0; n -= 1) {
    const [packed, length, offset] = [place + 20, place + 28, place + 42]
    const nameLength = zip.readUInt16LE(length)
    const name = zip.subarray(place + 46, place + 46 + nameLength).toString()
    const from = zip.readUInt32LE(offset) + 30 + nameLength
    entries.set(name, inflateRawSync(zip.subarray(from, from + zip.readUInt32LE(packed))))
    place += 46 + nameLength
  }
  return entries
}

async function book(rows: Iterable<readonly Cell[]>, sheetRows?: number): Promise<Map<string, Buffer>> {
  const chunks: Buffer[] = []
  const writer = createXlsx({
    sheetName: '订单/明细',
    columns,
    sink: async (bytes) => void chunks.push(Buffer.from(bytes)),
    ...(sheetRows !== undefined && { sheetRows }),
  })
  for (const row of rows) await writer.write([row])
  await writer.end()
  return entriesOf(Buffer.concat(chunks))
}
const text = (entries: Map<string, Buffer>, name: string): string => entries.get(name)?.toString() ?? ''

it('a workbook has numbers, money, business time and texts that are no formulas', async () => {
  const sheet = text(
    await book([
      ['=1+1', 12.5, at, at],
      [' a&<b>\u0001 ', null, null, null],
    ]),
    'xl/worksheets/sheet1.xml',
  )
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
  expect(sheet).toContain('<c r="A1" t="inlineStr" s="1"><is><t>编号</t></is></c>')
  expect(sheet).toContain('<c r="A2" t="inlineStr" s="5"><is><t>=1+1</t></is></c>')
  expect(sheet).toContain('<c r="B2" s="2"><v>12.5</v></c>')
  expect(sheet).toMatch(/<c r="C2" s="3"><v>46347\.3960069444\d*<\/v><\/c><c r="D2" s="4"><v>46347<\/v><\/c>/)
  expect(sheet).toContain('<t xml:space="preserve"> a&amp;&lt;b&gt; </t>')
})

it('rows beyond a sheet go on in the next one, with the titles', async () => {
  const rows = Array.from({ length: 7 }, (_, n): Cell[] => [`n${n}`, n, null, null])
  const entries = await book(rows, 4)
  const sheets = [1, 2, 3].map((n) => text(entries, `xl/worksheets/sheet${n}.xml`))
  expect(sheets.map((sheet) => sheet.match(/<row /g)?.length)).toEqual([4, 4, 2])
  expect(sheets.every((sheet) => sheet.includes('<t>编号</t>') && sheet.endsWith('</sheetData></worksheet>'))).toBe(
    true,
  )
  const names = [...text(entries, 'xl/workbook.xml').matchAll(/sheet name="([^"]+)"/g)].map(([, name]) => name)
  expect(names).toEqual(['订单 明细', '订单 明细 2', '订单 明细 3'])
})

it('1,048,577 rows need a second sheet', async () => {
  const row: readonly Cell[] = [null, 1, null, null]
  function* rows() {
    for (let n = 0; n < sheetRowsMax + 1; n += 1) yield row
  }
  const entries = await book(rows())
  expect(text(entries, 'xl/worksheets/sheet1.xml')).toContain(`<row r="${sheetRowsMax}">`)
  expect(text(entries, 'xl/worksheets/sheet2.xml').match(/<row /g)).toHaveLength(3)
}, 60_000)

it('a table of CSV has a byte order mark, and the same values', async () => {
  const chunks: Buffer[] = []
  const writer = createCsv({ columns, sink: async (bytes) => void chunks.push(Buffer.from(bytes)) })
  await writer.write([
    ['+86', 12.5, at, at],
    ['a,"b"', null, null, null],
  ])
  await writer.end()
  expect(Buffer.concat(chunks).toString()).toBe(
    '\ufeff编号,金额(元),时间,日期\r\n"\'+86",12.5,2026-11-21 09:30:15,2026-11-21\r\n"a,""b""",,,\r\n',
  )
})

it.each(['=1', '+1', '-1', '@a', '\t=1', '＝1', ' =1'])('%j begins a formula', (value) => {
  expect(isFormula(value)).toBe(true)
})
it.each(['1', 'a', '中文', 'Ä', ''])('%j does not', (value) => {
  expect(isFormula(value)).toBe(false)
})
