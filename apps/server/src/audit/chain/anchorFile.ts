import { createReadStream } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Anchor } from './store.ts'

const lineSchema = z.object({
  at: z.string(),
  agentId: z.int().positive(),
  sequence: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})

/** Folder of the anchors outside the database: one file per month, one line per anchor. */
export const anchorFolder = (dataDir: string): string => join(dataDir, 'audit-anchors')

/** Appends the anchors and waits until they are on disk. */
export async function appendAnchors(options: { folder: string; anchors: readonly Anchor[]; at: Date }): Promise<void> {
  const { folder, anchors, at } = options
  if (anchors.length === 0) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const instant = at.toISOString()
  const lines = anchors.map(({ agentId, sequence, hash }) => JSON.stringify({ at: instant, agentId, sequence, hash }))
  const file = await open(join(folder, `${instant.slice(0, 7)}.jsonl`), 'a', 0o600)
  try {
    await file.appendFile(`${lines.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * The anchors of all files, oldest file first, in batches; optionally of one chain. A line truncated by a power
 * failure is skipped.
 */
export async function* readAnchors(options: { folder: string; agentId?: number }): AsyncGenerator<Anchor[]> {
  const { folder, agentId } = options
  for (const name of await anchorFiles(folder)) {
    let batch: Anchor[] = []
    for await (const line of createInterface({ input: createReadStream(join(folder, name)), crlfDelay: Infinity })) {
      const anchor = anchorOf(line)
      if (anchor === null || (agentId !== undefined && anchor.agentId !== agentId)) continue
      batch.push(anchor)
      if (batch.length < batchMax) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
}

const batchMax = 5_000

async function anchorFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^\d{4}-\d{2}\.jsonl$/.test(name)).toSorted()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function anchorOf(line: string): Anchor | null {
  try {
    const { agentId, sequence, hash } = lineSchema.parse(JSON.parse(line))
    return { agentId, sequence, hash }
  } catch {
    return null
  }
}
