import { sql, type RawBuilder } from 'kysely'

/**
 * The condition that a text column starts with `text`, in byte order. Comparisons and not LIKE: they are leakproof, so
 * that an index over `column collate "C"` serves behind row level security too.
 */
export function startsWith(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const end = afterPrefix(text)
  const below = end === null ? sql`` : sql`and ${column} collate "C" < ${end}`
  return sql`(${column} collate "C" >= ${text} ${below})`
}

/** The text after the last one that starts with `start`, in byte order; null where there is none. */
export function afterPrefix(start: string): string | null {
  for (let length = start.length; length > 0; length--) {
    const code = start.charCodeAt(length - 1)
    if (code < 0xd7ff) return start.slice(0, length - 1) + String.fromCharCode(code + 1)
  }
  return null
}
