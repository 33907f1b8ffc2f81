import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Channel } from './channel.ts'

const filesMax = 2_000
const keptOnSweep = 1_000

export const noticeOutbox = (dataDir: string): string => join(dataDir, 'outbox', 'notices')

/**
 * Keeps messages as files that only the server's user may read, for trying the platform out. A message has one file, also
 * when it is sent again because the server ended in between. The folder is bounded.
 */
export function createOutboxChannel(name: string, dataDir: string): Channel {
  const folder = noticeOutbox(dataDir)
  let isMade = false
  let written = 0
  return {
    state: 'sandbox',
    send: async (message) => {
      if (!isMade) await mkdir(folder, { recursive: true, mode: 0o700 })
      isMade = true
      // Named when it is whole: a file cut off by the end of the server would count as sent.
      const file = join(folder, `${name}-${message.id}.json`)
      const part = join(folder, `.${name}-${message.id}.${randomBytes(4).toString('hex')}`)
      await writeFile(part, JSON.stringify(message), { mode: 0o600 })
      await rename(part, file)
      written += 1
      if (written % (filesMax - keptOnSweep) === 0) await sweep(folder)
    },
  }
}

async function sweep(folder: string): Promise<void> {
  const files = (await readdir(folder)).toSorted(byNumber)
  for (const file of files.slice(0, Math.max(0, files.length - filesMax))) await rm(join(folder, file), { force: true })
}

const numberOf = (file: string): number => Number(/(\d+)\.json$/.exec(file)?.[1] ?? 0)
const byNumber = (left: string, right: string): number => numberOf(left) - numberOf(right)
