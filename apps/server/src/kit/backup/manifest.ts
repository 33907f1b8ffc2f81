import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const named = z.object({ schema: z.string().min(1), name: z.string().min(1) })

const tableSchema = named.extend({
  columns: z.array(z.string().min(1)).min(1),
  rows: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const manifestSchema = z.object({
  /** 1: files are compressed rows. 2: those are sealed, by a key of the master secret and the salt. */
  format: z.union([z.literal(1), z.literal(2)]),
  createdAt: z.iso.datetime(),
  postgres: z.string(),
  /** The schema that the rows belong to. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Tables of a day, which no migration makes. */
  partitions: z.array(named.extend({ parent: z.string(), bound: z.string(), owner: z.string() })),
  tables: z.array(tableSchema),
  sequences: z.array(named.extend({ value: z.string().regex(/^\d+$/) })),
  /** Tells the master secret that the rows belong to; the secret itself is not in a backup. */
  secretDigest: z.string().nullable(),
  salt: z.string().min(16).optional(),
})

export type Manifest = z.infer<typeof manifestSchema>
export type TableEntry = Manifest['tables'][number]

/** Written last: a folder without it is no backup. */
export const manifestFile = (folder: string): string => join(folder, 'manifest.json')
export const tableFile = (folder: string, { schema, name }: { schema: string; name: string }): string =>
  join(folder, 'tables', `${schema}.${name}.copy.gz`)

/** A backup that cannot be made or restored; the message is the line that says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

export function readManifest(folder: string): Manifest {
  let text: string
  try {
    text = readFileSync(manifestFile(folder), 'utf8')
  } catch {
    throw new BackupError(`${folder} is no whole backup: it has no manifest.json, which is written last.`)
  }
  const parsed = manifestSchema.safeParse(JSON.parse(text))
  if (!parsed.success) throw new BackupError(`${manifestFile(folder)} is not the manifest of a backup.`)
  return parsed.data
}
