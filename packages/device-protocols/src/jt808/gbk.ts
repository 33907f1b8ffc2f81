const decoder = new TextDecoder('gbk')

/** The text of GBK bytes; what is no GBK becomes U+FFFD. */
export const decodeGbk = (bytes: Uint8Array): string => decoder.decode(bytes)

let codes: Map<string, number> | undefined

/** Every character of two bytes, found by decoding all of them once: the platform has a decoder but no encoder. */
function codeTable(): Map<string, number> {
  const table = new Map<string, number>()
  const pair = new Uint8Array(2)
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      pair[0] = lead
      pair[1] = trail
      const text = decoder.decode(pair)
      // A pair that is no character decodes to a replacement, alone or before the ASCII character of its second byte.
      if (text.length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, (lead << 8) | trail)
    }
  }
  return table
}

/** GBK bytes of a text. A character that GBK does not have becomes `?`. */
export function encodeGbk(text: string): Buffer {
  const out = Buffer.allocUnsafe(2 * text.length)
  let length = 0
  for (const character of text) {
    const ascii = character.charCodeAt(0)
    if (ascii < 0x80) {
      out[length++] = ascii
      continue
    }
    codes ??= codeTable()
    const code = character === '€' ? 0x80 : codes.get(character)
    if (code === undefined) {
      out[length++] = 0x3f
    } else if (code < 0x100) {
      out[length++] = code
    } else {
      out[length++] = code >> 8
      out[length++] = code & 0xff
    }
  }
  return out.subarray(0, length)
}
