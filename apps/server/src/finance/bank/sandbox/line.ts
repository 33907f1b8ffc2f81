import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError } from '@saddle/contract/errors.ts'
import type { EnvelopeKeys } from '../envelope.ts'
import { createSandboxKeys, type SandboxKeys } from './server.ts'

/**
 * What a process needs to speak to the sandbox bank of a demo: where it is, and the keys of both sides. The server keeps it in
 * its data folder, so that a finance host beside it reaches the same bank.
 */
export const sandboxLineFile = (dataDir: string): string => join(dataDir, 'sandbox-bank-line.json')

const pem = z.string().includes('-----BEGIN ')
const lineSchema = z.object({ url: z.url(), platformKey: pem, bankKey: pem })
type Line = z.output<typeof lineSchema>

function readLine(file: string): Line | null {
  if (!existsSync(file)) return null
  try {
    return lineSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // It was cut off, or somebody has changed it: the keys are made anew.
    return null
  }
}

function writeLine(file: string, line: Line): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

const sidesOf = ({ platformKey, bankKey }: Line): { readonly platform: EnvelopeKeys; readonly bank: EnvelopeKeys } => ({
  platform: { own: createPrivateKey(platformKey), other: createPublicKey(bankKey) },
  bank: { own: createPrivateKey(bankKey), other: createPublicKey(platformKey) },
})

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** The keys of the file, or new ones until the server writes the file. */
export function createFileKeys(file: string): SandboxKeys {
  const kept = readLine(file)
  if (kept === null) return createSandboxKeys()
  const { platform, bank } = sidesOf(kept)
  return { platform: () => platform, bank: () => bank }
}

/** Says where the sandbox bank is from now on. */
export function writeSandboxLine(
  file: string,
  { url, keys }: { readonly url: string; readonly keys: SandboxKeys },
): void {
  writeLine(file, { url, platformKey: pemOf(keys.platform().own), bankKey: pemOf(keys.bank().own) })
}

/** Reads the line whenever it is used: the server may have started anew. Throws unavailable where there is none. */
export const readSandboxLine =
  (file: string): (() => { readonly url: string; readonly keys: EnvelopeKeys }) =>
  () => {
    const line = readLine(file)
    if (line === null) throw new AppError('unavailable')
    return { url: line.url, keys: sidesOf(line).platform }
  }
