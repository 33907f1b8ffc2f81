import { BillError } from './bill.ts'

const maxLineLength = 65_536

/** The lines of a text, those of one chunk at a time; the last one needs no end. Throws BillError where one is too long. */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
  encoding: 'utf-8' | 'gbk',
): AsyncGenerator<readonly string[]> {
  // A byte order mark at the beginning is left out by the decoder.
  const decoder = new TextDecoder(encoding, { fatal: true })
  let rest = ''
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (cause) {
      throw new BillError(`the file is not written in ${encoding}`, { cause })
    }
  }
  for await (const chunk of chunks) {
    const lines = (rest + decode(chunk)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLineLength) throw new BillError('a line is too long')
    if (lines.length > 0) yield lines.map(withoutReturn)
  }
  rest += decode()
  if (rest !== '') yield [withoutReturn(rest)]
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
