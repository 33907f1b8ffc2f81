import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Version of this build, with the first letters of what the console was built from: two deployments never share it. */
export function buildName(consoleDir: string): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  const stamp = join(consoleDir, '.built-from')
  return existsSync(stamp) ? `${version}+${readFileSync(stamp, 'utf8').trim().slice(0, 8)}` : version
}
