import { isIP } from 'node:net'
import { z } from 'zod'
import { phonePattern } from '@saddle/contract/constants.ts'
import {
  defaultDevicePort,
  deviceProtocolLabels,
  deviceProtocols,
  portSetting,
  tlsPortSetting,
  type DeviceProtocol,
} from '@saddle/contract/fleet/protocols.ts'
import { deviceTlsPort } from './devicePorts.ts'
import { LOG_LEVELS, type Log } from './log.ts'

/** Bad configuration, in one line that names every wrong variable; main prints it and exits with code 1. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const SERVICES = ['api', 'gateway', 'worker'] as const
export type Service = (typeof SERVICES)[number]

type Variable<S extends z.ZodType> = {
  name: string
  about: string
  schema: S
  fallback: string | null
  secret: boolean
}

type Declaration<S extends z.ZodType> = { name: string; about: string; schema: S; fallback?: string; secret?: boolean }

function variable<S extends z.ZodType>(declaration: Declaration<S>): Variable<S> {
  return { fallback: null, secret: false, ...declaration }
}

const text = z.string().min(1).max(4_000)
const optionalText = text.optional()
const port = whole({ min: 0, max: 65_535 })
const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .transform((value) => value.replace(/\/+$/, ''))
const host = z.union([z.literal('').transform(() => ''), webAddress])
const tilesAddress = webAddress.refine(
  (address) => ['{z}', '{x}', '{y}'].every((part) => decodeURI(address).includes(part)),
  'must have {z}, {x} and {y} in it',
)
const postgresAddress = z.url({ protocol: /^postgres(?:ql)?$/, error: 'must be a postgresql:// address' })
const yesOrNo = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true')

function whole(options: { min: number; max: number }): z.ZodType<number, string> {
  const { min, max } = options
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error)
}

const trustProxy = z.string().transform((value, context): false | number | string[] => {
  if (value === 'false') return false
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const addresses = value.split(',').map((part) => part.trim())
  // `true` would believe whatever address the farthest client claims to have.
  if (!addresses.every(isNetwork))
    context.addIssue(
      'must be the number of proxies in front, or their addresses separated by commas (`true` is not taken)',
    )
  return addresses
})

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const networks = z.string().transform((value, context): string[] => {
  const list = value.split(',').map((part) => part.trim())
  if (!list.every(isNetwork)) context.addIssue('must be addresses or CIDR networks separated by commas')
  return list
})

const origins = z.string().transform((value, context): string[] => {
  const list = value.split(',').map((one) => one.trim())
  const found = list.filter((one) => one !== '')
  const isOrigin = (one: string): boolean =>
    /^https?:\/\//.test(one) && URL.canParse(one) && new URL(one).origin === one
  if (!found.every(isOrigin))
    context.addIssue('must be origins such as https://console.example.cn, separated by commas')
  return found
})

const services = z.string().transform((value, context): Service[] => {
  const names = value.split(',').map((name) => name.trim())
  const known = SERVICES.filter((service) => names.includes(service))
  if (known.length !== names.length) context.addIssue(`must be some of ${SERVICES.join(',')}`)
  return known
})

type PortVariables<Suffix extends string, S extends z.ZodType> = {
  readonly [Protocol in DeviceProtocol as `${Protocol}${Suffix}`]: Variable<S>
}

const portVariables = Object.fromEntries(
  deviceProtocols.map((protocol) => [
    `${protocol}Port`,
    variable({
      name: portSetting(protocol),
      about: `TCP port for vehicles that speak ${deviceProtocolLabels[protocol]}.`,
      schema: port,
      fallback: String(defaultDevicePort(protocol)),
    }),
  ]),
) as PortVariables<'Port', typeof port>

const optionalPort = port.optional()
const tlsPortVariables = Object.fromEntries(
  deviceProtocols.map((protocol) => [
    `${protocol}TlsPort`,
    variable({
      name: tlsPortSetting(protocol),
      about: `TCP port for ${deviceProtocolLabels[protocol]} over TLS; closed without it.`,
      schema: optionalPort,
    }),
  ]),
) as PortVariables<'TlsPort', typeof optionalPort>

/** Every variable that the server reads, once. docs/configuration.md is generated from this. */
const VARIABLES = {
  port: variable({ name: 'PORT', about: 'Port of the console and all calls.', schema: port, fallback: '8080' }),
  host: variable({
    name: 'HOST',
    about:
      'Address to listen on; `127.0.0.1` closes it to other machines. Without it `0.0.0.0`, or `127.0.0.1` when `TRUST_PROXY` counts proxies: whoever came past them could claim any address.',
    schema: optionalText,
  }),
  gatewayHost: variable({
    name: 'GATEWAY_HOST',
    about: 'Address on which vehicles are listened to. Without it `HOST` where that is set, otherwise `0.0.0.0`.',
    schema: optionalText,
  }),
  gatewayAllow: variable({
    name: 'GATEWAY_ALLOW',
    about:
      'Networks that vehicles may call from, as addresses or CIDR separated by commas, e.g. the pool of a private APN; without it all may.',
    schema: networks.optional(),
  }),
  gatewayLinesPerAddress: variable({
    name: 'GATEWAY_LINES_PER_ADDRESS',
    about:
      'Lines of one network address (IPv6: one /64) that have not signed in yet, at most. Where a carrier puts all vehicles behind one address, as many as vehicles may come back at once.',
    schema: whole({ min: 1, max: 20_000 }),
    fallback: '2500',
  }),
  gatewayTlsCert: variable({
    name: 'GATEWAY_TLS_CERT',
    about: 'PEM file with the certificate (and its chain) of the TLS ports for vehicles; read again when it changes.',
    schema: optionalText,
  }),
  gatewayTlsKey: variable({
    name: 'GATEWAY_TLS_KEY',
    about: 'PEM file with its private key.',
    schema: optionalText,
  }),
  gatewayPlain: variable({
    name: 'GATEWAY_PLAIN',
    about: '`false` closes the ports for vehicles that are not encrypted; the TLS ports stay.',
    schema: yesOrNo,
    fallback: 'true',
  }),
  ...tlsPortVariables,
  publicUrl: variable({
    name: 'PUBLIC_URL',
    about:
      'Address under which users reach the console, when a proxy stands in front. With https, pages asked for over plain http lead to it.',
    schema: webAddress.optional(),
  }),
  trustProxy: variable({
    name: 'TRUST_PROXY',
    about:
      'Whose X-Forwarded-… headers to believe: the number of proxies in front, or their addresses and networks separated by commas; `false`: nobody’s.',
    schema: trustProxy,
    fallback: 'false',
  }),
  allowHttp: variable({
    name: 'ALLOW_HTTP',
    about:
      'Answer other machines over plain http too, where codes, sessions and money calls can be listened to. Without it they are refused unless https reaches the proxy in front; the machine itself and the health probes are always answered.',
    schema: yesOrNo,
    fallback: 'false',
  }),
  metricsToken: variable({
    name: 'METRICS_TOKEN',
    about:
      'Token of 16 characters or more with which a Prometheus on another machine may read `/metrics` (`Authorization: Bearer …`). Without it only this machine may.',
    schema: z.string().min(16, 'must have 16 characters or more').max(1_000).optional(),
    secret: true,
  }),
  publicDocs: variable({
    name: 'PUBLIC_DOCS',
    about:
      'Whether `/docs` and `/openapi.json`, which describe every call, are open to other machines, as for the makers of riders’ apps. Without it only with `DEMO=true`.',
    schema: yesOrNo.optional(),
  }),
  services: variable({
    name: 'SERVICES',
    about:
      'Services of this process; `--services=` on the command line wins. All of them must run in one process until a bus between processes exists; anything less is refused.',
    schema: services,
    fallback: SERVICES.join(','),
  }),
  dataDir: variable({
    name: 'DATA_DIR',
    about: 'Folder of the embedded database, the secret and stored files.',
    schema: text,
    fallback: './data',
  }),
  databaseUrl: variable({
    name: 'DATABASE_URL',
    about: 'PostgreSQL 15 or newer to use instead of the embedded one.',
    schema: postgresAddress.optional(),
    secret: true,
  }),
  databaseAppUrl: variable({
    name: 'DATABASE_APP_URL',
    about:
      'The same database for requests, as a login that is a member of `saddle_app` alone. With `DATABASE_SYSTEM_URL`; without both, `saddle_app_login` and `saddle_system_login` are made where the user of `DATABASE_URL` may.',
    schema: postgresAddress.optional(),
    secret: true,
  }),
  databaseSystemUrl: variable({
    name: 'DATABASE_SYSTEM_URL',
    about: 'The same database for background work, as a login that is a member of `saddle_system` alone.',
    schema: postgresAddress.optional(),
    secret: true,
  }),
  secret: variable({
    name: 'SADDLE_SECRET',
    about:
      'Master secret, 32 characters or more, the same on every node. Without it one is made at the first start and kept in `DATA_DIR/secret`.',
    schema: z.string().min(32, 'must have 32 characters or more').max(1_000).optional(),
    secret: true,
  }),
  previousSecret: variable({
    name: 'SADDLE_PREVIOUS_SECRET',
    about:
      'The master secret before the present one, while it is rotated: see operations.md. Without it the one that `secret:rotate` kept in `DATA_DIR/secret.previous`.',
    schema: z.string().min(32, 'must have 32 characters or more').max(1_000).optional(),
    secret: true,
  }),
  logLevel: variable({
    name: 'LOG_LEVEL',
    about: `How much to log: ${LOG_LEVELS.join(', ')}.`,
    schema: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }),
    fallback: 'info',
  }),
  demo: variable({
    name: 'DEMO',
    about:
      'Fill an empty database with the demo city and its logins. `npm start` sets `true`; never on a server that others reach.',
    schema: yesOrNo,
    fallback: 'false',
  }),
  firstAdminPhone: variable({
    name: 'FIRST_ADMIN_PHONE',
    about:
      'Phone of the first administrator: on an empty database the platform company and this login are made. Ignored afterwards.',
    schema: z.string().regex(phonePattern, 'must be a mobile number of 11 digits').optional(),
    secret: true,
  }),
  deviceHost: variable({
    name: 'DEVICE_HOST',
    about:
      'Name or address under which vehicles reach the ports below; shown to whoever configures a device. Without it the host of PUBLIC_URL.',
    schema: z
      .string()
      .regex(/^[A-Za-z0-9.:-]{1,253}$/, 'must be a name or an address')
      .optional(),
  }),
  ...portVariables,
  mqttBrokerUrl: variable({
    name: 'MQTT_BROKER_URL',
    about:
      'MQTT broker of your own that vehicles speak to, beside the port above: `mqtt://user:password@host:1883` or `mqtts://…`. It must let a vehicle use no topics but those of its own IMEI, and one gateway only may be given it.',
    schema: z.url({ protocol: /^mqtts?$/, error: 'must be an mqtt:// or mqtts:// address' }).optional(),
    secret: true,
  }),
  reportRetentionDays: variable({
    name: 'REPORT_RETENTION_DAYS',
    about: 'Days for which every report of a vehicle is kept; its ways are kept for longer.',
    schema: whole({ min: 7, max: 90 }),
    fallback: '7',
  }),
  consoleOrigins: variable({
    name: 'CONSOLE_ORIGINS',
    about:
      'Origins from which a console may call this server when it was served by another host, separated by commas: on the hosts below, the origin of the console.',
    schema: origins,
    fallback: '',
  }),
  cookieDomain: variable({
    name: 'COOKIE_DOMAIN',
    about:
      'Domain that the console and the hosts below share, such as `example.cn`: the session then holds on all of them. Without it on the host alone that made it.',
    schema: z
      .string()
      .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'must be a domain such as example.cn')
      .optional(),
  }),
  hostFinance: variable({
    name: 'HOST_FINANCE',
    about:
      'Origin of the finance calls; empty = this server. It and the three below are other names of the same installation: see docs/operations.md.',
    schema: host,
    fallback: '',
  }),
  hostPython: variable({
    name: 'HOST_PYTHON',
    about: 'Base address of the calls of the Python host; empty = this server.',
    schema: host,
    fallback: '',
  }),
  hostMap: variable({
    name: 'HOST_MAP',
    about: 'Base address of the map calls; empty = this server.',
    schema: host,
    fallback: '',
  }),
  hostUser: variable({
    name: 'HOST_USER',
    about: 'Base address of the user calls; empty = this server.',
    schema: host,
    fallback: '',
  }),
  consoleApiKey: variable({
    name: 'CONSOLE_API_KEY',
    about:
      'Key that the console of this server shows when it asks whose address it is served from, for a company whose domain is keyed. The page carries it: anyone who opens the console can read it.',
    schema: z.string().regex(/^[\w-]{0,80}$/, 'must be a key as the company page made it'),
    fallback: '',
  }),
  chatScriptUrl: variable({
    name: 'CHAT_SCRIPT_URL',
    about: 'Script of a third-party customer-service chat; without it the built-in chat is used.',
    schema: webAddress.optional(),
  }),
  secondPersonYuan: variable({
    name: 'MONEY_SECOND_PERSON_YUAN',
    about:
      'Yuan of riders’ money (charges by hand, refunds, deposits, cards) that one person may move in a day by themselves; what goes above waits for a second person. 0 = no limit.',
    schema: whole({ min: 0, max: 10_000_000 }),
    fallback: '1000',
  }),
  wechatPayFile: variable({
    name: 'WECHAT_PAY_FILE',
    about:
      'JSON file that switches WeChat Pay on: appId, merchantId, serial, privateKey, platformSerial, platformKey, apiKey (keys as PEM).',
    schema: optionalText,
  }),
  alipayFile: variable({
    name: 'ALIPAY_FILE',
    about: 'JSON file that switches Alipay on: appId, privateKey, alipayKey (keys as PEM).',
    schema: optionalText,
  }),
  paymentPasswordKey: variable({
    name: 'PAYMENT_PASSWORD_KEY',
    about: 'Key shared with that page, 32 characters or more: links to it are signed with it (HMAC-SHA256).',
    schema: z.string().min(32, 'must have 32 characters or more').max(1_000).optional(),
    secret: true,
  }),
  paymentPasswordUrl: variable({
    name: 'PAYMENT_PASSWORD_URL',
    about: 'Page where a payment password is set; without it the links to it are refused.',
    schema: webAddress.optional(),
  }),
  tilesDir: variable({
    name: 'TILES_DIR',
    about: 'Folder of the offline map tiles; without it they lie in `DATA_DIR/tiles`.',
    schema: optionalText,
  }),
  mapTilesUrl: variable({
    name: 'MAP_TILES_URL',
    about: 'Pictures of a map provider in the place of the offline tiles: an address with `{z}`, `{x}` and `{y}`.',
    schema: tilesAddress.optional(),
  }),
  mapTilesDatum: variable({
    name: 'MAP_TILES_DATUM',
    about: 'What that provider draws in: `wgs84`, or `gcj02` as providers in China must.',
    schema: z.enum(['wgs84', 'gcj02'], { error: 'must be wgs84 or gcj02' }),
    fallback: 'wgs84',
  }),
  mapTilesAttribution: variable({
    name: 'MAP_TILES_ATTRIBUTION',
    about: 'Whom the map names as the maker of these pictures.',
    schema: z.string().max(100),
    fallback: '',
  }),
  mapTilesMaxZoom: variable({
    name: 'MAP_TILES_MAX_ZOOM',
    about: 'The deepest zoom that the provider has pictures of.',
    schema: whole({ min: 1, max: 22 }),
    fallback: '18',
  }),
  smsProvider: variable({
    name: 'SMS_PROVIDER',
    about: 'Who sends login codes: `outbox` (kept here, for trying out), `aliyun` or `tencent`.',
    schema: z.enum(['outbox', 'aliyun', 'tencent'], { error: 'must be outbox, aliyun or tencent' }),
    fallback: 'outbox',
  }),
  smsSignName: variable({
    name: 'SMS_SIGN_NAME',
    about: 'Signature that the provider approved.',
    schema: optionalText,
  }),
  smsTemplate: variable({
    name: 'SMS_TEMPLATE',
    about: 'Template of login codes that the provider approved.',
    schema: optionalText,
  }),
  smsAliyunKeyId: variable({
    name: 'SMS_ALIYUN_KEY_ID',
    about: 'Access key id of Aliyun.',
    schema: optionalText,
    secret: true,
  }),
  smsAliyunKeySecret: variable({
    name: 'SMS_ALIYUN_KEY_SECRET',
    about: 'Access key secret of Aliyun.',
    schema: optionalText,
    secret: true,
  }),
  smsAliyunEndpoint: variable({
    name: 'SMS_ALIYUN_ENDPOINT',
    about: 'Host of the Aliyun SMS service.',
    schema: text,
    fallback: 'dysmsapi.aliyuncs.com',
  }),
  smsTencentSecretId: variable({
    name: 'SMS_TENCENT_SECRET_ID',
    about: 'Secret id of Tencent Cloud.',
    schema: optionalText,
    secret: true,
  }),
  smsTencentSecretKey: variable({
    name: 'SMS_TENCENT_SECRET_KEY',
    about: 'Secret key of Tencent Cloud.',
    schema: optionalText,
    secret: true,
  }),
  smsTencentAppId: variable({
    name: 'SMS_TENCENT_APP_ID',
    about: 'SMS application id of Tencent Cloud.',
    schema: optionalText,
  }),
  smsTencentRegion: variable({
    name: 'SMS_TENCENT_REGION',
    about: 'Region of Tencent Cloud.',
    schema: text,
    fallback: 'ap-guangzhou',
  }),
  smsTencentEndpoint: variable({
    name: 'SMS_TENCENT_ENDPOINT',
    about: 'Host of the Tencent SMS service.',
    schema: text,
    fallback: 'sms.tencentcloudapi.com',
  }),
  smsPerPhoneDaily: variable({
    name: 'SMS_PER_PHONE_DAILY',
    about: 'Login codes one phone may ask for in a day.',
    schema: whole({ min: 1, max: 1_000 }),
    fallback: '10',
  }),
  smsPerAddressHourly: variable({
    name: 'SMS_PER_ADDRESS_HOURLY',
    about: 'Login codes one network address may ask for in an hour.',
    schema: whole({ min: 1, max: 100_000 }),
    fallback: '20',
  }),
  smsDailyBudget: variable({
    name: 'SMS_DAILY_BUDGET',
    about: 'Login codes the whole platform sends in a day.',
    schema: whole({ min: 1, max: 10_000_000 }),
    fallback: '5000',
  }),
} as const

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
 * Reads the configuration from environment variables and command-line arguments (`--services=api,worker`).
 * An empty variable counts as absent. Throws ConfigError.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, args: readonly string[] = []): Config {
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
  if (config.paymentPasswordUrl !== undefined && config.paymentPasswordKey === undefined)
    throw new ConfigError('Configuration: PAYMENT_PASSWORD_URL also needs PAYMENT_PASSWORD_KEY')
  checkVehiclePorts(config)
  return config
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

/** Throws ConfigError unless one process runs every service: what they tell each other does not leave it yet. */
export function assertWhole({ services: named }: Pick<Config, 'services'>): void {
  if (named.length < SERVICES.length)
    throw new ConfigError(
      `Configuration: SERVICES must name all of ${SERVICES.join(',')}: without a bus between processes a gateway of its own hears no command and its reports reach no map`,
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
