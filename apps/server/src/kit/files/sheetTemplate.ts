import { createXlsx } from './xlsx.ts'

interface TemplateOptions {
  /** Name of the sheet and, with `模板.xlsx`, of the file. */
  readonly name: string
  readonly titles: readonly string[]
  /** What a line looks like. */
  readonly example: readonly string[]
}

/** The workbook of an import with one line as an example; cells are texts, so that a spreadsheet keeps all their digits. */
export async function sheetTemplate({
  name,
  titles,
  example,
}: TemplateOptions): Promise<{ name: string; base64: string }> {
  const pieces: Uint8Array[] = []
  const writer = createXlsx({
    sheetName: name,
    columns: titles.map((title) => ({ title, format: 'text' })),
    sink: async (bytes) => {
      pieces.push(Buffer.from(bytes))
    },
  })
  await writer.write([example])
  await writer.end()
  return { name: `${name}模板.xlsx`, base64: Buffer.concat(pieces).toString('base64') }
}
