import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What the sandbox bank remembers: it is another company, so it keeps nothing in the platform's database. */
export type Journal = {
  /** The latest content of each record. */
  load(): ReadonlyMap<string, unknown>
  /** Written before the bank answers. */
  append(id: string, content: unknown): void
}

export const createMemoryJournal = (): Journal => ({ load: () => new Map(), append: () => {} })

/** A file with a line for each change; it is rewritten without the old ones when it is loaded. */
export function createFileJournal(file: string): Journal {
  return {
    load: () => {
      const records = new Map<string, unknown>()
      if (!existsSync(file)) return records
      for (const line of readFileSync(file, 'utf8').split('\n')) {
        const change = changeOf(line)
        if (change !== null) records.set(change.id, change.content)
      }
      const whole = [...records].map(([id, content]) => JSON.stringify({ id, content })).join('\n')
      writeFileSync(`${file}.new`, whole === '' ? '' : `${whole}\n`, { mode: 0o600 })
      renameSync(`${file}.new`, file)
      return records
    },
    append: (id, content) => {
      mkdirSync(dirname(file), { recursive: true })
      appendFileSync(file, `${JSON.stringify({ id, content })}\n`, { mode: 0o600 })
    },
  }
}

/** Null for a line that was cut off when the process ended. */
function changeOf(line: string): { readonly id: string; readonly content: unknown } | null {
  if (line === '') return null
  try {
    return JSON.parse(line) as { id: string; content: unknown }
  } catch {
    return null
  }
}
