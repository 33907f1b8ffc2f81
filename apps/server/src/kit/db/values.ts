import pg from 'pg'

type Parse = (text: string) => unknown

const INT8 = 20
const TEXT_ARRAY = 1009
const DATE = 1082
const INT8_ARRAY = 1016
const DATE_ARRAY = 1182

/** bigint as a number: exact up to 2^53 − 1, which is 90 trillion yuan in cents. Beyond it, an error, never a rounding. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is too large for a number`)
  return value
}

// A date has no time zone; pg's default (midnight of the server's zone as a Date) shifts days.
const keepText: Parse = (text) => text

function defaultParser(oid: number): Parse {
  // The published types know a list of oids only; the function takes any and leaves unknown types as text.
  const getParser = pg.types.getTypeParser as (oid: number, format: 'text') => Parse
  return getParser(oid, 'text')
}

function arrayOf(parse: Parse): Parse {
  const split = defaultParser(TEXT_ARRAY)
  return (text) => (split(text) as (string | null)[]).map((item) => (item === null ? null : parse(item)))
}

const OWN_PARSERS = new Map<number, Parse>([
  [INT8, (text) => parseInt8(text)],
  [INT8_ARRAY, arrayOf((text) => parseInt8(text))],
  [DATE, keepText],
  [DATE_ARRAY, arrayOf(keepText)],
])

/** How column values become JavaScript: node-postgres' way, but bigint → number and date → 'YYYY-MM-DD'. */
export const columnTypes = {
  getTypeParser(oid: number): Parse {
    return OWN_PARSERS.get(oid) ?? defaultParser(oid)
  },
}
