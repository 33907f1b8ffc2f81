import type { Config } from '#kit/config.ts'
import { demoLogins } from '#demo/public.ts'

interface GreetingOptions {
  readonly config: Config
  readonly url: string | null
  readonly omniPort: number | null
}

/** Tells the person at the terminal where to go; everything else is the log's. */
export function greet({ config, url, omniPort }: GreetingOptions): void {
  const address = config.publicUrl ?? url
  const lines = ['']
  if (address !== null) lines.push(`  Saddle is running at  ${address}`)
  if (omniPort !== null) lines.push(`  Vehicles (Omni, TCP)  port ${omniPort}`)
  if (config.demo && address !== null) {
    lines.push('', '  Demo logins (phone, then the code that is sent to it):')
    for (const login of demoLogins) lines.push(`    ${login.phone}  ${login.title} ${login.name}`)
    if (config.smsProvider === 'outbox') {
      lines.push(
        `  Codes are shown at    ${address}/outbox`,
        '  and by               npm run --silent outbox -- <phone>',
      )
    }
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}
