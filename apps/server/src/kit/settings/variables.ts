import { z } from 'zod'
import { phonePattern } from '@saddle/contract/constants.ts'
import {
  text,
  optionalText,
  port,
  webAddress,
  host,
  tilesAddress,
  yesOrNo,
  whole,
  trustProxy,
  networks,
  artefactKeys,
  origins,
  variable,
} from './forms.ts'
import { databaseVariables } from './databases.ts'
import { portVariables, tlsPortVariables } from './devicePorts.ts'
import { moneyVariables } from './money.ts'
import { noticeVariables } from './notices.ts'
import { processVariables } from './processes.ts'
import { LOG_LEVELS } from '../log.ts'

/** Every variable that the server reads, once. docs/configuration.md is generated from this. */
export const VARIABLES = {
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
  gatewayConnections: variable({
    name: 'GATEWAY_CONNECTIONS',
    about:
      'Connections of vehicles to one gateway, at most; the limit of open files (`LimitNOFILE`) must be higher by 1,024. What one takes in memory is in bench/README.md.',
    schema: whole({ min: 100, max: 1_000_000 }),
    fallback: '20000',
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
  artefactKeys: variable({
    name: 'ARTEFACT_KEYS',
    about:
      'Public Ed25519 keys of those who sign firmware and voice packs, as `name:key` separated by commas; a key is its 32 bytes in base64. Only what one of them signed is taken, and sent to devices.',
    schema: artefactKeys,
    fallback: '',
  }),
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
  ...processVariables,
  dataDir: variable({
    name: 'DATA_DIR',
    about: 'Folder of the embedded database, the secret and stored files.',
    schema: text,
    fallback: './data',
  }),
  ...databaseVariables,
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
      'MQTT broker of your own that vehicles speak to, beside the port above: `mqtt://user:password@host:1883` or `mqtts://…`. It must let a vehicle use no topics but those of its own IMEI. In a cluster every gateway may be given it: one at a time reads from it.',
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
  ...moneyVariables,
  ...noticeVariables,
  bankFile: variable({
    name: 'BANK_FILE',
    about:
      'JSON file with the bank (split-account provider) of companies’ accounts: `url`, `memberId`, `privateKey` (ours, PEM), `bankKey` (the bank’s public key, PEM). Without it accounts cannot be opened and nothing is withdrawn; a demo has a sandbox bank.',
    schema: optionalText,
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
  screenCacheSeconds: variable({
    name: 'SCREEN_CACHE_SECONDS',
    about: 'Seconds for which all screens on walls of the same areas are answered by one reading; 0 reads for each.',
    schema: whole({ min: 0, max: 60 }),
    fallback: '4',
  }),
  smsDailyBudget: variable({
    name: 'SMS_DAILY_BUDGET',
    about: 'Login codes the whole platform sends in a day.',
    schema: whole({ min: 1, max: 10_000_000 }),
    fallback: '5000',
  }),
} as const
