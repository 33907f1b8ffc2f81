import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const sources = new URL('../../src/', import.meta.url)
const verifiers = {
  'ledger:verify': 'app/ledgerVerifyCli.ts',
  'audit:verify': 'audit/chain/verifyCli.ts',
  'report:verify': 'reports/verify/verifyCli.ts',
} as const

/** Runs the verifiers that people run; a sentence for each that finds something broken. */
export async function verifyAll(env: Readonly<Record<'DATABASE_URL' | 'DATA_DIR', string>>): Promise<string[]> {
  const found: string[] = []
  for (const [name, file] of Object.entries(verifiers)) {
    const words = ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL(file, sources))]
    const child = spawn(process.execPath, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(child, 'exit')
    const [said, wrong] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = (await ended) as [number | null]
    if (code !== 0) found.push(`${name} ended with ${String(code)}: ${said.trim()}${wrong.trim()}`)
  }
  return found
}
