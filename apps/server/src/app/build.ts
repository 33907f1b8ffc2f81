import { readFileSync } from 'node:fs'

/** Version of this build, as the client repeats it in its tokens. */
export function buildName(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return version
}
