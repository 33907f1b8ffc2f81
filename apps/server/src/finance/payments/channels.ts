import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError, type Config } from '#kit/config.ts'
import type { Kit } from '#kit/kit.ts'
import { createAlipayChannel } from './alipay.ts'
import { downloadOverHttps, sendOverHttps, type PaymentChannel } from './channel.ts'
import { createWechatChannel } from './wechat.ts'

const pem = z.string().includes('-----BEGIN ')
const wechatSchema = z.strictObject({
  appId: z.string().min(1),
  merchantId: z.string().min(1),
  serial: z.string().min(1),
  privateKey: pem,
  platformSerial: z.string().min(1),
  platformKey: pem,
  apiKey: z.string().length(32),
})
const alipaySchema = z.strictObject({ appId: z.string().min(1), privateKey: pem, alipayKey: pem })

/** The channels whose files the configuration names. Throws ConfigError, which never repeats what is in a file. */
export function configuredChannels({
  config,
  clock,
  random,
}: Pick<Kit, 'config' | 'clock' | 'random'>): PaymentChannel[] {
  const channels: PaymentChannel[] = []
  const common = { clock, random, send: sendOverHttps, download: downloadOverHttps }
  if (config.wechatPayFile !== undefined) {
    const { privateKey, platformKey, ...rest } = readSettings('WECHAT_PAY_FILE', config.wechatPayFile, wechatSchema)
    const keys = { privateKey: createPrivateKey(privateKey), platformKey: createPublicKey(platformKey) }
    channels.push(createWechatChannel({ ...common, ...rest, ...keys, notifyUrl: notifyUrl(config) }))
  }
  if (config.alipayFile !== undefined) {
    const { appId, privateKey, alipayKey } = readSettings('ALIPAY_FILE', config.alipayFile, alipaySchema)
    const keys = { privateKey: createPrivateKey(privateKey), alipayKey: createPublicKey(alipayKey) }
    channels.push(createAlipayChannel({ ...common, appId, ...keys, notifyUrl: notifyUrl(config) }))
  }
  return channels
}

function notifyUrl({ publicUrl }: Config): string {
  if (publicUrl === undefined) throw new ConfigError('Configuration: payment channels also need PUBLIC_URL')
  return `${publicUrl}/pay/callback`
}

function readSettings<T>(name: string, file: string, schema: z.ZodType<T>): T {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new ConfigError(`Configuration: ${name} is no readable JSON file`)
  }
  const parsed = schema.safeParse(content)
  if (parsed.success) return parsed.data
  const names = new Set(parsed.error.issues.map((issue) => issue.path.join('.') || issue.code))
  throw new ConfigError(`Configuration: ${name}: wrong or missing ${[...names].join(', ')}`)
}
