import { appendFile, chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '#kit/clock.ts'
import type { SmsMessage, SmsProvider } from './provider.ts'

const messagesKept = 200
/** Number of lines at which the file is cut to the newest `messagesKept`. */
const fileLinesMax = 1_000

const outboxLineSchema = z.object({
  phone: z.string(),
  code: z.string(),
  ttlMinutes: z.number(),
  sentAt: z.number(),
})
/** A sent message; `sentAt` in milliseconds since 1970. */
export type OutboxLine = z.infer<typeof outboxLineSchema>

export interface SmsOutbox extends SmsProvider {
  latestFor(phone: string): OutboxLine | null
  /** Messages sent since the start, newest first. */
  recent(): readonly OutboxLine[]
}

export const outboxFile = (dataDir: string): string => join(dataDir, 'outbox', 'sms.jsonl')

/**
 * The default provider: messages are kept in memory and in a file that only the server's user may read.
 * Both are bounded.
 */
export function createSmsOutbox({ config, clock }: { config: { dataDir: string }; clock: Clock }): SmsOutbox {
  const file = outboxFile(config.dataDir)
  const lines: OutboxLine[] = []
  let linesInFile: number | null = null
  let last: Promise<void> = Promise.resolve()

  const append = async (line: OutboxLine): Promise<void> => {
    if (linesInFile === null) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      linesInFile = (await readOutbox(file)).length
    }
    await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
    // The mode above applies only to a new file.
    if (linesInFile === 0) await chmod(file, 0o600)
    linesInFile += 1
    if (linesInFile < fileLinesMax) return
    const kept = (await readOutbox(file)).slice(-messagesKept)
    await writeFile(`${file}.new`, kept.map((row) => `${JSON.stringify(row)}\n`).join(''), { mode: 0o600 })
    await rename(`${file}.new`, file)
    linesInFile = kept.length
  }

  return {
    name: 'outbox',
    send: (message: SmsMessage) => {
      const line: OutboxLine = { ...message, sentAt: clock.now() }
      lines.push(line)
      if (lines.length > messagesKept) lines.shift()
      const written = last.then(() => append(line))
      last = written.catch(() => {})
      return written
    },
    recent: () => lines.toReversed(),
    latestFor: (phone) => lines.findLast((line) => line.phone === phone) ?? null,
  }
}

/** The messages of the file, oldest first; none when there is no file. A line truncated by a power failure is skipped. */
export async function readOutbox(file: string): Promise<OutboxLine[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  return text.split('\n').flatMap((line) => {
    const parsed = outboxLineSchema.safeParse(parseJson(line))
    return parsed.success ? [parsed.data] : []
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
