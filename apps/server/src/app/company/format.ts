import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** How a company lies in a folder: docs/leaving.md describes it for those who read it with other programs. */

const tableSchema = z.object({
  name: z.string().regex(/^[a-z_]+$/),
  columns: z.array(z.string().regex(/^[a-z_0-9]+$/)).min(1),
  rows: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type TableEntry = z.infer<typeof tableSchema>

export const sumsSchema = z.record(z.string(), z.string().regex(/^-?\d+$/))
/** Counts and cents, by what they are of. */
export type Sums = z.infer<typeof sumsSchema>

const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** The company and those below it. */
  rootId: z.int().positive(),
  companies: z.array(z.object({ id: z.int().positive(), company: z.string() })).min(1),
  /** The last step of the schema that the rows belong to. */
  migration: z.string(),
  tables: z.array(tableSchema).min(1),
  photos: z.int().nonnegative(),
  /** Rows that no known secret opened. */
  unreadable: z.int().nonnegative(),
  /** How far those who follow facts had come. */
  factCursors: z.record(z.string(), z.int().nonnegative()),
  /** Partitions that rows lie in: the first and the last day. */
  days: z.record(z.string(), z.tuple([z.iso.date(), z.iso.date()])),
  sums: sumsSchema,
})
export type Manifest = z.infer<typeof manifestSchema>

/** Written last: a folder without it is no whole export. */
export const manifestFile = (folder: string): string => join(folder, 'manifest.json')
export const tableFile = (folder: string, name: string): string => join(folder, 'tables', `${name}.jsonl.gz`)
export const photoFile = (folder: string, id: string, kind: string): string => join(folder, 'photos', `${id}.${kind}`)
export const anchorsFile = (folder: string): string => join(folder, 'audit-anchors.jsonl')

/** An export that cannot be made or taken in; the message is the line that says why. */
export class CompanyError extends Error {
  override readonly name = 'CompanyError'
}

export function readManifest(folder: string): Manifest {
  let text: string
  try {
    text = readFileSync(manifestFile(folder), 'utf8')
  } catch {
    throw new CompanyError(`${folder} is no whole export: it has no manifest.json, which is written last.`)
  }
  const parsed = manifestSchema.safeParse(JSON.parse(text))
  if (!parsed.success) throw new CompanyError(`${manifestFile(folder)} is not the manifest of a company.`)
  return parsed.data
}

/** `copy` writes and takes one JSON text per line as it is: no such text has one of these characters. */
export const lineFormat = `(format csv, delimiter e'\\x02', quote e'\\x01')`
