import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ConfigError, configPage, describeConfig, loadConfig, logConfig } from './config.ts'
import { createLog } from './log.ts'
import { loadMasterSecret } from './secret.ts'

const PAGE = fileURLToPath(new URL('../../../../docs/configuration.md', import.meta.url))

describe('loadConfig', () => {
  it('has a default for everything that needs a value', () => {
    expect(loadConfig({})).toMatchObject({
      port: 8080,
      host: '0.0.0.0',
      services: ['api', 'gateway', 'worker'],
      dataDir: './data',
      databaseUrl: undefined,
      demo: false,
      trustProxy: false,
      gatewayHost: '0.0.0.0',
      allowHttp: false,
      publicDocs: false,
      smsProvider: 'outbox',
      hostFinance: '',
    })
  })

  it('reads values, treats empty ones as absent and lets the argument win', () => {
    const env = {
      PORT: ' 9000 ',
      HOST: '',
      DEMO: 'true',
      TRUST_PROXY: '10.0.0.0/8, ::1',
      HOST_MAP: 'https://map.example/',
      SERVICES: 'api',
    }
    expect(loadConfig(env, ['--services', 'finance']).services).toEqual(['finance'])
    expect(loadConfig(env, ['--services=gateway,worker'])).toMatchObject({
      port: 9000,
      host: '0.0.0.0',
      demo: true,
      trustProxy: ['10.0.0.0/8', '::1'],
      hostMap: 'https://map.example',
      services: ['gateway', 'worker'],
    })
    expect(loadConfig({ TRUST_PROXY: '1' }).trustProxy).toBe(1)
  })

  it('opens TLS ports for vehicles with a certificate only, and never no port at all', () => {
    const files = { GATEWAY_TLS_CERT: 'cert.pem', GATEWAY_TLS_KEY: 'key.pem' }
    expect(loadConfig({ ...files, MQTT_TLS_PORT: '8883', GATEWAY_PLAIN: 'false' })).toMatchObject({
      mqttTlsPort: 8883,
      omniTlsPort: undefined,
      gatewayPlain: false,
    })
    expect(() => loadConfig(files)).toThrow(/belong together/)
    expect(() => loadConfig({ MQTT_TLS_PORT: '8883', GATEWAY_TLS_CERT: 'cert.pem' })).toThrow(/belong together/)
    expect(() => loadConfig({ GATEWAY_PLAIN: 'false' })).toThrow(/GATEWAY_PLAIN/)
  })

  it('takes networks of vehicles as addresses and CIDR', () => {
    expect(loadConfig({ GATEWAY_ALLOW: '10.20.0.0/16, fd00::/8' }).gatewayAllow).toEqual(['10.20.0.0/16', 'fd00::/8'])
    for (const wrong of ['10.20.0.0/33', 'apn', '10.0.0.1,'])
      expect(() => loadConfig({ GATEWAY_ALLOW: wrong })).toThrow(/GATEWAY_ALLOW/)
  })

  it('listens on this machine alone when it counts proxies, unless it is told where', () => {
    const listened = (env: Record<string, string>): unknown => {
      const { host, gatewayHost } = loadConfig(env)
      return { host, gatewayHost }
    }
    expect(listened({ TRUST_PROXY: '1' })).toEqual({ host: '127.0.0.1', gatewayHost: '0.0.0.0' })
    expect(listened({ TRUST_PROXY: '10.0.0.9' })).toEqual({ host: '0.0.0.0', gatewayHost: '0.0.0.0' })
    expect(listened({ TRUST_PROXY: '1', HOST: '10.0.0.5' })).toEqual({ host: '10.0.0.5', gatewayHost: '10.0.0.5' })
    expect(listened({ HOST: '127.0.0.1', GATEWAY_HOST: '10.0.0.5' })).toEqual({
      host: '127.0.0.1',
      gatewayHost: '10.0.0.5',
    })
  })

  it('opens the description of the calls in the demo, or when it is told to', () => {
    expect(loadConfig({ DEMO: 'true' }).publicDocs).toBe(true)
    expect(loadConfig({ DEMO: 'true', PUBLIC_DOCS: 'false' }).publicDocs).toBe(false)
    expect(loadConfig({ PUBLIC_DOCS: 'true' }).publicDocs).toBe(true)
  })

  it.each([
    [{ PORT: '80a' }, [], 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '65536' }, [], 'PORT must be'],
    [{ DEMO: 'yes' }, [], 'DEMO must be true or false'],
    [{ DATABASE_URL: 'mysql://x' }, [], 'DATABASE_URL must be a postgresql:// address'],
    [{ SADDLE_SECRET: 'short' }, [], 'SADDLE_SECRET must have 32 characters'],
    [{ TRUST_PROXY: 'true' }, [], 'TRUST_PROXY must be the number of proxies in front, or their addresses'],
    [{ TRUST_PROXY: '10.0.0.0/8, proxy' }, [], 'TRUST_PROXY must be'],
    [{ METRICS_TOKEN: 'short' }, [], 'METRICS_TOKEN must have 16 characters'],
    [{ LOG_LEVEL: 'loud' }, [], 'LOG_LEVEL must be one of'],
    [{ PUBLIC_URL: 'javascript:alert(1)' }, [], 'PUBLIC_URL must be an http(s) address'],
    [{ SERVICES: 'api,kitchen' }, [], 'SERVICES must be some of'],
    [{}, ['--services='], '--services= names no service'],
    [{}, ['--port=1'], 'unknown argument --port=1'],
    [
      { SMS_PROVIDER: 'aliyun', SMS_SIGN_NAME: 'x' },
      [],
      'also needs SMS_TEMPLATE, SMS_ALIYUN_KEY_ID, SMS_ALIYUN_KEY_SECRET',
    ],
    [{ PORT: 'x', DEMO: 'y' }, [], 'PORT must be a whole number from 0 to 65535; DEMO'],
  ])('says in one line what is wrong with %o %o', (env, args, message) => {
    const attempt = (): unknown => loadConfig(env, args)
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(message)
    expect(attempt).not.toThrow(/\n|short/)
  })

  it('explains every variable, and docs/configuration.md is that explanation', () => {
    const rows = describeConfig()
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length)
    expect(rows.filter((row) => row.description.length < 10)).toEqual([])
    // Generated by scripts/config-docs.mjs.
    expect(readFileSync(PAGE, 'utf8')).toBe(configPage())
  })

  it('logs what is in effect and no secret', () => {
    let text = ''
    const log = createLog({ level: 'info', destination: { write: (line) => void (text += line) } })
    const secret = 'a-secret-that-is-longer-than-32-characters'
    logConfig({
      config: loadConfig({
        SADDLE_SECRET: secret,
        DATABASE_URL: 'postgres://u:hidden@h/d',
        PORT: '81',
        FIRST_ADMIN_PHONE: '13900000001',
      }),
      log,
    })
    expect(text).toContain('"PORT":81')
    expect(text).toContain('"SADDLE_SECRET":"set"')
    expect(text).not.toMatch(/hidden|longer-than|13900000001/)
  })
})

describe('loadMasterSecret', () => {
  it('makes one at the first start, closed to others, and keeps it', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'saddle-secret-'))
    const secret = loadMasterSecret({ given: undefined, dataDir })
    expect(secret.length).toBeGreaterThanOrEqual(43)
    expect(loadMasterSecret({ given: undefined, dataDir })).toBe(secret)
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600)
    expect(loadMasterSecret({ given: 'x'.repeat(32), dataDir })).toBe('x'.repeat(32))
    writeFileSync(join(dataDir, 'secret'), 'cut')
    expect(() => loadMasterSecret({ given: undefined, dataDir })).toThrow(ConfigError)
    rmSync(dataDir, { recursive: true })
  })
})

describe('createLog', () => {
  it('redacts phones, codes, keys, params, cookies and authorisation wherever callers put them', () => {
    let text = ''
    const log = createLog({ level: 'info', destination: { write: (line) => void (text += line) } })
    const secrets = {
      phone: 'S1',
      code: 'S2',
      aesKey: 'S3',
      params: 'S4',
      authorization: 'S5',
      cookie: 'S6',
      'set-cookie': 'S7',
    }
    log.info(secrets, 'top')
    log.info({ req: { headers: secrets, body: secrets } }, 'request')
    log.info({ url: '/a/b?params=S8' }, 'address')
    expect(text).not.toMatch(/S\d/)
    expect(text).toContain('"url":"/a/b"')
    expect(text.match(/redacted/g)?.length).toBe(21)
  })
})
