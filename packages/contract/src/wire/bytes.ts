const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const reverse = new Uint8Array(128).fill(255)
for (let index = 0; index < alphabet.length; index++) reverse[alphabet.charCodeAt(index)] = index

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** Throws a TypeError on bytes that are not UTF-8. */
export const fromUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes)

/** base64url without padding (RFC 4648, section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const a = bytes[index] ?? 0
    const b = bytes[index + 1] ?? 0
    const c = bytes[index + 2] ?? 0
    const left = bytes.length - index
    text += alphabet[a >> 2]
    text += alphabet[((a & 3) << 4) | (b >> 4)]
    if (left > 1) text += alphabet[((b & 15) << 2) | (c >> 6)]
    if (left > 2) text += alphabet[c & 63]
  }
  return text
}

/** Null for anything but the one canonical spelling: a second spelling of the same bytes is refused. */
export function fromBase64Url(text: string): Uint8Array | null {
  const rest = text.length % 4
  if (rest === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let at = 0
  for (let index = 0; index < text.length; index += 4) {
    const count = Math.min(4, text.length - index)
    let word = 0
    for (let offset = 0; offset < 4; offset++) {
      const code = offset < count ? text.charCodeAt(index + offset) : 65
      const value = code < 128 ? (reverse[code] ?? 255) : 255
      if (value === 255) return null
      word = (word << 6) | value
    }
    if ((count === 2 && (word & 0xffff) !== 0) || (count === 3 && (word & 0xff) !== 0)) return null
    bytes[at++] = (word >> 16) & 255
    if (count > 2) bytes[at++] = (word >> 8) & 255
    if (count > 3) bytes[at++] = word & 255
  }
  return bytes
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Compares without telling by its time where two values differ. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < left.length; index++) difference |= (left[index] ?? 0) ^ (right[index] ?? 0)
  return difference === 0
}
