import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '#kit/config.ts'
import { systemClock } from '#kit/clock.ts'
import { createAliyunSms } from './aliyun.ts'
import { chooseSmsProvider } from './choose.ts'
import { type SmsProvider, SmsProviderError } from './provider.ts'
import { createTencentSms } from './tencent.ts'

/** What stands in for the two clouds: it takes a message only when the signature, made anew here, is the same. */
interface Received {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
let received: Received | null = null
let refuse = false
let status = 200
let endpoint = ''
const secret = 'a-secret-key'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const url = new URL(request.url ?? '/', endpoint)
    received = { method: request.method ?? '', url, headers: request.headers, body: Buffer.concat(chunks).toString() }
    const isTencent = request.headers['x-tc-action'] !== undefined
    const isSigned = (isTencent ? tencentSignature(received) : aliyunSignature(received)) === givenSignature(received)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isTencent ? tencentAnswer(isSigned) : aliyunAnswer(isSigned)))
  })
})

const tencentAnswer = (isSigned: boolean): unknown => ({
  Response: isSigned
    ? { RequestId: '1', SendStatusSet: [{ Code: refuse ? 'LimitExceeded.PhoneNumberDailyLimit' : 'Ok' }] }
    : { RequestId: '1', Error: { Code: 'AuthFailure.SignatureFailure', Message: 'signature' } },
})
const aliyunAnswer = (isSigned: boolean): unknown => ({
  Code: isSigned ? (refuse ? 'isv.BUSINESS_LIMIT_CONTROL' : 'OK') : 'SignatureDoesNotMatch',
  RequestId: '1',
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const givenSignature = ({ headers }: Received): string =>
  /Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '')?.[1] ?? ''
const signedHeaders = ({ headers }: Received): string =>
  /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
const canonicalHeaders = (call: Received, values: Record<string, string> = {}): string =>
  signedHeaders(call)
    .split(';')
    .map((name) => `${name}:${values[name] ?? String(call.headers[name])}\n`)
    .join('')

/** ACS3-HMAC-SHA256, as Alibaba Cloud documents it. */
function aliyunSignature(call: Received): string {
  const query = [...call.url.searchParams.entries()]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join('&')
  const request = [call.method, '/', query, canonicalHeaders(call), signedHeaders(call), sha256(call.body)].join('\n')
  return hmac(secret, `ACS3-HMAC-SHA256\n${sha256(request)}`).toString('hex')
}

/** TC3-HMAC-SHA256, as Tencent Cloud documents it; this SDK signs the host without its port. */
function tencentSignature(call: Received): string {
  const headers = canonicalHeaders(call, { host: call.url.hostname })
  const request = ['POST', '/', '', headers, signedHeaders(call), sha256(call.body)].join('\n')
  const [, date = '', service = ''] =
    /Credential=[^/]+\/([^/]+)\/([^/]+)\/tc3_request/.exec(call.headers.authorization ?? '') ?? []
  const text = ['TC3-HMAC-SHA256', call.headers['x-tc-timestamp'], `${date}/${service}/tc3_request`, sha256(request)]
  const key = hmac(hmac(hmac(`TC3${secret}`, date), service), 'tc3_request')
  return hmac(key, text.join('\n')).toString('hex')
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  received = null
  refuse = false
  status = 200
})

const message = { phone: '13800138000', code: '042042', ttlMinutes: 5 }
const aliyun = (accessKeySecret = secret): SmsProvider =>
  createAliyunSms({
    accessKeyId: 'key-id',
    accessKeySecret,
    signName: '青骑',
    templateCode: 'SMS_1',
    noticeTemplate: 'SMS_2',
    endpoint,
  })
const tencent = (secretKey = secret): SmsProvider =>
  createTencentSms({
    secretId: 'secret-id',
    secretKey,
    sdkAppId: '1400000000',
    signName: '青骑',
    templateId: '77',
    noticeTemplate: '78',
    region: 'ap-guangzhou',
    endpoint,
  })

test('notices go out by their own template', async () => {
  await aliyun().sendText?.({ phone: '13800138000', text: '车辆倾倒' })
  expect(received?.url.searchParams.get('TemplateCode')).toBe('SMS_2')
  expect(received?.url.searchParams.get('TemplateParam')).toBe('{"text":"车辆倾倒"}')
  await tencent().sendText?.({ phone: '13800138000', text: '车辆倾倒' })
  expect(JSON.stringify(received)).toContain('车辆倾倒')
})

test('Aliyun gets a signed SendSms with the approved template', async () => {
  await aliyun().send(message)
  expect(received?.headers['x-acs-action']).toBe('SendSms')
  expect(received?.headers['x-acs-version']).toBe('2017-05-25')
  expect(received?.headers.authorization).toMatch(
    /^ACS3-HMAC-SHA256 Credential=key-id,SignedHeaders=.*host;x-acs-action/,
  )
  expect(Object.fromEntries(received?.url.searchParams ?? [])).toEqual({
    PhoneNumbers: '13800138000',
    SignName: '青骑',
    TemplateCode: 'SMS_1',
    TemplateParam: '{"code":"042042","minutes":"5"}',
  })
})

test('Tencent gets a signed SendSms with the approved template', async () => {
  await tencent().send(message)
  expect(received?.headers['x-tc-action']).toBe('SendSms')
  expect(received?.headers['x-tc-version']).toBe('2021-01-11')
  expect(received?.headers['x-tc-region']).toBe('ap-guangzhou')
  expect(received?.headers.authorization).toMatch(/^TC3-HMAC-SHA256 Credential=secret-id\/\d{4}-\d\d-\d\d\//)
  expect(JSON.parse(received?.body ?? '')).toEqual({
    PhoneNumberSet: ['+8613800138000'],
    SmsSdkAppId: '1400000000',
    SignName: '青骑',
    TemplateId: '77',
    TemplateParamSet: ['042042', '5'],
  })
})

test.each([
  ['Aliyun', aliyun, 'SignatureDoesNotMatch'],
  ['Tencent', tencent, 'signature'],
])('%s: a refusal, a wrong key and a broken service are failures', async (_, provider, fault) => {
  await expect(provider('another-key').send(message)).rejects.toThrow(fault)
  refuse = true
  await expect(provider().send(message)).rejects.toThrow(SmsProviderError)
  refuse = false
  status = 503
  await expect(provider().send(message)).rejects.toThrow(/503|Unavailable/)
})

test('the configuration chooses', async () => {
  const clock = systemClock
  const common = { SMS_SIGN_NAME: '青骑', SMS_TEMPLATE: 'SMS_1' }
  const outbox = chooseSmsProvider({ config: loadConfig({}), clock })
  expect([outbox.provider.name, outbox.outbox === null]).toEqual(['outbox', false])
  const keys = { SMS_ALIYUN_KEY_ID: 'key-id', SMS_ALIYUN_KEY_SECRET: secret, SMS_ALIYUN_ENDPOINT: endpoint }
  const first = chooseSmsProvider({ config: loadConfig({ SMS_PROVIDER: 'aliyun', ...common, ...keys }), clock })
  expect([first.provider.name, first.outbox]).toEqual(['aliyun', null])
  await first.provider.send(message)
  const ids = { SMS_TENCENT_SECRET_ID: 'a', SMS_TENCENT_SECRET_KEY: secret, SMS_TENCENT_APP_ID: '1' }
  const second = chooseSmsProvider({ config: loadConfig({ SMS_PROVIDER: 'tencent', ...common, ...ids }), clock })
  expect([second.provider.name, second.outbox]).toEqual(['tencent', null])
})
