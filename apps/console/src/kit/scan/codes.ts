/** The vehicle's number within what a code says: the bare number, or a link that carries it. */
export function numberOfCode(text: string): string | null {
  const bare = /^[A-Z0-9]{4,20}$/
  const word = text.trim().toUpperCase()
  if (bare.test(word)) return word
  if (!URL.canParse(text.trim())) return null
  const url = new URL(text.trim())
  const parts = [...url.searchParams.values(), ...url.pathname.split('/').toReversed()]
  return parts.map((part) => part.toUpperCase()).find((part) => bare.test(part) && /\d/.test(part)) ?? null
}

const digits15 = /(?<!\d)\d{15}(?!\d)/
const iccid = /(?<![0-9A-F])89[0-9A-F]{17,18}(?![0-9A-F])/i
const mac = /(?<![0-9A-F])[0-9A-F]{2}(?:[:-]?[0-9A-F]{2}){5}(?![0-9A-F])/i
const serial = /(?:^|[\s;,&?])S\/?N[:=\s]+([A-Za-z0-9._/-]{4,40})/i

/** Numbers on the labels of a vehicle's parts. */
export const partCodes = ['imei', 'iccid', 'mac', 'serial'] as const
export type PartCode = (typeof partCodes)[number]

/** What a label says of one part: makers print one number, or all of them with their names; null: nothing. */
export function partOfCode(part: PartCode, code: string): string | null {
  const text = code.trim()
  if (part === 'imei') return digits15.exec(text)?.[0] ?? null
  if (part === 'iccid') return iccid.exec(text)?.[0]?.toUpperCase() ?? null
  if (part === 'mac') {
    const named = /MAC[:=\s]+([0-9A-F:-]{12,17})/i.exec(text)?.[1] ?? text
    // Fifteen digits in a row are an IMEI, and no address begins within one.
    return mac.exec(named)?.[0]?.toUpperCase() ?? null
  }
  const named = serial.exec(text)?.[1]
  return named ?? (/^[A-Za-z0-9._/-]{4,40}$/.test(text) ? text : null)
}
