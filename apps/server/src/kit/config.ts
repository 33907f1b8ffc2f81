import type { z } from 'zod'
import { deviceProtocols, tlsPortSetting } from '@saddle/contract/fleet/protocols.ts'
import { deviceTlsPort } from './devicePorts.ts'
import type { Log } from './log.ts'
import { SERVER_SERVICES } from './settings/forms.ts'
import { VARIABLES } from './settings/variables.ts'

/** Bad configuration, in one line that names every wrong variable; main prints it and exits with code 1. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Variables = typeof VARIABLES
type Given = { readonly [K in keyof Variables]: z.output<Variables[K]['schema']> }
/** Values whose default follows from others. */
type Derived = { readonly host: string; readonly gatewayHost: string; readonly publicDocs: boolean }
export type Config = Omit<Given, keyof Derived> & Derived

const SMS_KEYS = {
  outbox: [],
  aliyun: ['smsSignName', 'smsTemplate', 'smsAliyunKeyId', 'smsAliyunKeySecret'],
  tencent: ['smsSignName', 'smsTemplate', 'smsTencentSecretId', 'smsTencentSecretKey', 'smsTencentAppId'],
} as const satisfies Record<string, readonly (keyof Variables)[]>

/**
 * Reads the configuration from environment variables and command-line arguments (`--services finance` or
 * `--services=finance`). An empty variable counts as absent. Throws ConfigError.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, words: readonly string[] = []): Config {
  const args = joinedArguments(words)
  const servicesArgument = args.findLast((argument) => argument.startsWith('--services='))
  const given =
    servicesArgument === undefined ? env : { ...env, SERVICES: servicesArgument.slice('--services='.length) }
  const problems: string[] = []
  const values = Object.entries(VARIABLES).map(([key, { name, schema, fallback }]): [string, unknown] => {
    const raw = given[name]?.trim() || (fallback ?? undefined)
    const parsed = (schema as z.ZodType).safeParse(raw)
    // The value itself is never repeated: it may be a mistyped secret.
    if (!parsed.success) problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is wrong'}`)
    return [key, parsed.data]
  })
  if (servicesArgument === '--services=') problems.push('--services= names no service')
  const unknown = args.filter((argument) => !argument.startsWith('--services='))
  if (unknown.length > 0) problems.push(`unknown argument ${unknown.join(' ')}`)
  if (problems.length > 0) throw new ConfigError(`Configuration: ${problems.join('; ')}`)
  const config = withDerived(Object.fromEntries(values) as Given)
  const missing = SMS_KEYS[config.smsProvider]
    .filter((key) => config[key] === undefined)
    .map((key) => VARIABLES[key].name)
  if (missing.length > 0)
    throw new ConfigError(`Configuration: SMS_PROVIDER=${config.smsProvider} also needs ${missing.join(', ')}`)
  if ((config.databaseAppUrl === undefined) !== (config.databaseSystemUrl === undefined))
    throw new ConfigError('Configuration: DATABASE_APP_URL and DATABASE_SYSTEM_URL are set together')
  if (config.databasePooler && config.databaseAppUrl === undefined)
    throw new ConfigError(
      'Configuration: DATABASE_POOLER=true also needs DATABASE_APP_URL and DATABASE_SYSTEM_URL, which lead through the pooler',
    )
  if (config.databaseReadUrl !== undefined && config.databaseUrl === undefined)
    throw new ConfigError(
      'Configuration: DATABASE_READ_URL also needs DATABASE_URL: the embedded database has no replica',
    )
  if (config.paymentPasswordUrl !== undefined && config.paymentPasswordKey === undefined)
    throw new ConfigError('Configuration: PAYMENT_PASSWORD_URL also needs PAYMENT_PASSWORD_KEY')
  if ((config.smtpUrl === undefined) !== (config.smtpFrom === undefined))
    throw new ConfigError('Configuration: SMTP_URL and SMTP_FROM are set together')
  checkVehiclePorts(config)
  return config
}

/** An argument and its value may be two words. */
function joinedArguments(words: readonly string[]): string[] {
  return words.flatMap((word, place) => {
    if (word === '--services') return [`--services=${words[place + 1] ?? ''}`]
    return words[place - 1] === '--services' ? [] : [word]
  })
}

function checkVehiclePorts(config: Config): void {
  const { gatewayTlsCert, gatewayTlsKey, gatewayPlain } = config
  const hasTlsPort = deviceProtocols.some((protocol) => deviceTlsPort(config, protocol) !== undefined)
  if ([gatewayTlsCert, gatewayTlsKey].some((file) => (file !== undefined) !== hasTlsPort))
    throw new ConfigError(
      `Configuration: GATEWAY_TLS_CERT, GATEWAY_TLS_KEY and one of ${deviceProtocols.map(tlsPortSetting).join(', ')} belong together`,
    )
  if (!gatewayPlain && !hasTlsPort) throw new ConfigError('Configuration: GATEWAY_PLAIN=false also needs a TLS port')
}

function withDerived(given: Given): Config {
  const isBehindProxy = typeof given.trustProxy === 'number' && given.trustProxy > 0
  return {
    ...given,
    host: given.host ?? (isBehindProxy ? '127.0.0.1' : '0.0.0.0'),
    gatewayHost: given.gatewayHost ?? given.host ?? '0.0.0.0',
    publicDocs: given.publicDocs ?? given.demo,
  }
}

/** Whether this process is the finance host, which runs beside the server and on its database. */
export const isFinanceHost = ({ services }: Pick<Config, 'services'>): boolean => services.includes('finance')

/**
 * Throws ConfigError unless the process runs every service of the server, some of them as a part of a cluster, or the
 * finance host alone.
 */
export function assertRunnable(config: Pick<Config, 'services' | 'cluster' | 'databaseUrl' | 'secret' | 'demo'>): void {
  const { services: named, cluster } = config
  if (isFinanceHost(config)) {
    if (named.length > 1)
      throw new ConfigError(
        `Configuration: SERVICES names finance alone or not at all: a server with ${SERVER_SERVICES.join(',')} answers the finance calls too`,
      )
    return
  }
  if (cluster) {
    if (config.databaseUrl === undefined || config.secret === undefined)
      throw new ConfigError('Configuration: CLUSTER=true also needs DATABASE_URL and SADDLE_SECRET')
    if (config.demo) throw new ConfigError('Configuration: DEMO=true is for a single server, not with CLUSTER=true')
    return
  }
  if (named.length < SERVER_SERVICES.length)
    throw new ConfigError(
      `Configuration: SERVICES must name all of ${SERVER_SERVICES.join(',')}, or finance alone; some of them only with CLUSTER=true`,
    )
}

/** One row per variable, for docs/configuration.md. */
export function describeConfig(): { name: string; default: string; description: string }[] {
  return Object.values(VARIABLES).map(({ name, fallback, about, secret }) => ({
    name,
    default: fallback ?? '',
    description: secret ? `${about} Secret.` : about,
  }))
}

/** The page docs/configuration.md. */
export function configPage(): string {
  const rows = describeConfig().map(
    (row) => `| \`${row.name}\` | ${row.default === '' ? '–' : `\`${row.default}\``} | ${row.description} |`,
  )
  return [
    '# Configuration',
    '',
    'The server reads environment variables; an empty one counts as absent. It checks them all at the start, logs the',
    'effective values that are no secrets, and ends with one line and exit code 1 when one is wrong.',
    '',
    '| variable | default | what it does |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

/** Logs what is in effect; of secrets only whether they are set. */
export function logConfig(options: { config: Config; log: Log }): void {
  const { config, log } = options
  const shown = Object.entries(VARIABLES).map(([key, { name, secret }]) => {
    const value = config[key as keyof Config]
    return [name, secret ? (value === undefined ? 'not set' : 'set') : value] as const
  })
  log.info({ config: Object.fromEntries(shown) }, 'configuration')
}
