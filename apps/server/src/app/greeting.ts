import { deviceProtocolLabels, deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { isFinanceHost, type Config } from '#kit/config.ts'
import type { Log } from '#kit/log.ts'
import type { DevicePorts } from './platform.ts'

interface DemoLogin {
  readonly phone: string
  readonly title: string
  readonly name: string
}

interface GreetingOptions {
  readonly config: Config
  readonly log: Log
  readonly url: string | null
  readonly devicePorts: DevicePorts
  /** Whom the demo can be used as; absent without it. */
  readonly demoLogins?: readonly DemoLogin[] | undefined
  /** Where lines for a person go. */
  readonly print?: (text: string) => void
}

/**
 * Tells the person at the terminal where to go, on standard error outside of the demo: there standard output carries
 * the log alone.
 */
export function greet(options: GreetingOptions): void {
  const { config, log, url, devicePorts, demoLogins, print = config.demo ? printToTerminal : printToErrors } = options
  const address = config.publicUrl ?? url
  log.info({ address, host: config.host, gatewayHost: config.gatewayHost, devicePorts }, 'listening')
  const lines = ['']
  if (isFinanceHost(config)) lines.push(`  Finance calls at      ${url}`)
  else if (address !== null) lines.push(`  Saddle is running at  ${address}`)
  for (const protocol of deviceProtocols) {
    const port = devicePorts[protocol]
    if (port !== undefined) lines.push(`  Vehicles              port ${port} (${deviceProtocolLabels[protocol]})`)
  }
  if (demoLogins !== undefined && address !== null) {
    lines.push('', '  Demo logins (phone, then the code that is sent to it):')
    for (const login of demoLogins) lines.push(`    ${login.phone}  ${login.title} ${login.name}`)
    if (config.smsProvider === 'outbox') {
      lines.push(
        `  Codes are shown at    ${address}/outbox`,
        '  and by               npm run --silent outbox -- <phone>',
      )
    }
  }
  print(`${lines.join('\n')}\n\n`)
}

/** Settings that leave the platform open or unusable; said at every start, in the log and to the person at the terminal. */
export function riskySettings(config: Config, isRoot: boolean): string[] {
  const risks: string[] = []
  if (!config.demo && isRoot) {
    risks.push(
      'The server runs as root: whoever breaks into it has the machine. Run it under an account of its own, see operations.md.',
    )
  }
  if (config.allowHttp) {
    risks.push(
      'ALLOW_HTTP=true: other machines are answered over plain http. Whoever listens in has login codes, sessions and money calls. Only for a closed network that you trust.',
    )
  }
  if (!config.demo && config.smsProvider === 'outbox') {
    risks.push(
      'SMS_PROVIDER=outbox: no login code leaves this machine. Codes lie in the outbox file of DATA_DIR, and whoever may read it can log in as anybody. Set SMS_PROVIDER to aliyun or tencent.',
    )
  }
  return risks
}

export function warnOfRisks({
  config,
  log,
  warn = printToErrors,
}: {
  config: Config
  log: Log
  warn?: (text: string) => void
}): void {
  for (const risk of riskySettings(config, process.getuid?.() === 0)) {
    log.warn(risk)
    warn(`WARNING: ${risk}\n`)
  }
}

const printToTerminal = (text: string): void => void process.stdout.write(text)
const printToErrors = (text: string): void => void process.stderr.write(text)
