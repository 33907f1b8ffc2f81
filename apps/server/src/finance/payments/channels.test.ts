import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createManualClock } from '#kit/clock.ts'
import { ConfigError, loadConfig } from '#kit/config.ts'
import { createSeededRandom } from '#kit/random.ts'
import { configuredChannels } from './channels.ts'

const folder = mkdtempSync(join(tmpdir(), 'saddle-channels-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const settings = (name: string, content: object): string => {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}
const wechat = {
  appId: 'wx1',
  merchantId: '1',
  serial: 'A',
  privateKey,
  platformSerial: 'B',
  platformKey: publicKey,
  apiKey: 'k'.repeat(32),
}
const alipay = { appId: '2', privateKey, alipayKey: publicKey }
const channels = (env: Record<string, string>) =>
  configuredChannels({ config: loadConfig(env), clock: createManualClock(0), random: createSeededRandom(1) })

it('switches on the channels whose files are named', () => {
  expect(channels({})).toEqual([])
  const env = {
    PUBLIC_URL: 'https://pay.example.cn',
    WECHAT_PAY_FILE: settings('wechat.json', wechat),
    ALIPAY_FILE: settings('alipay.json', alipay),
  }
  expect(channels(env).map(({ name }) => name)).toEqual(['wechat', 'alipay'])
})

it('says what is wrong with a file, and nothing of what is in it', () => {
  const PUBLIC_URL = 'https://pay.example.cn'
  const faults: [Record<string, string>, RegExp][] = [
    [{ ALIPAY_FILE: settings('a.json', alipay) }, /PUBLIC_URL/],
    [{ PUBLIC_URL, ALIPAY_FILE: join(folder, 'none.json') }, /no readable JSON/],
    [{ PUBLIC_URL, WECHAT_PAY_FILE: settings('w.json', { ...wechat, apiKey: 'secret' }) }, /missing apiKey$/],
  ]
  for (const [env, message] of faults) {
    expect(() => channels(env)).toThrow(ConfigError)
    expect(() => channels(env)).toThrow(message)
  }
})
