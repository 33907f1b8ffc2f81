import { createDecipheriv, createSign, createVerify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '#kit/clock.ts'
import type { Random } from '#kit/random.ts'
import {
  CallBackError,
  type CallBack,
  type ChannelEvent,
  type DailyBill,
  type Download,
  type HttpAnswer,
  type PaymentChannel,
  type Send,
} from './channel.ts'

export type WechatOptions = {
  readonly clock: Clock
  readonly random: Random
  readonly send: Send
  readonly download: Download
  readonly appId: string
  readonly merchantId: string
  /** Serial number of the merchant's certificate and its private key. */
  readonly serial: string
  readonly privateKey: KeyObject
  /** Serial or id of WeChat Pay's public key, and the key. */
  readonly platformSerial: string
  readonly platformKey: KeyObject
  /** The APIv3 key: 32 characters. */
  readonly apiKey: string
  /** Where call-backs arrive, without the channel's name. */
  readonly notifyUrl: string
}

const HOST = 'https://api.mch.weixin.qq.com'
// WeChat's own bound for a call-back's time stamp.
const MAX_SKEW_S = 300
const TAG_BYTES = 16
/** What is answered while a bill is being made, and where nothing was paid on the day. */
const noBill = /"(?:STATEMENT_CREATING|NO_STATEMENT_EXIST)"/

const envelopeSchema = z.object({
  id: z.string().min(1).max(100),
  event_type: z.string(),
  resource: z.object({
    algorithm: z.literal('AEAD_AES_256_GCM'),
    ciphertext: z.base64(),
    nonce: z.string().min(12).max(16),
    associated_data: z.string().optional(),
  }),
})
const paidSchema = z.object({
  mchid: z.string(),
  appid: z.string(),
  out_trade_no: z.string(),
  transaction_id: z.string(),
  trade_state: z.string(),
  success_time: z.iso.datetime({ offset: true }),
  amount: z.object({ total: z.int().positive(), currency: z.literal('CNY').optional() }),
  payer: z.object({ openid: z.string().min(1).max(128) }).optional(),
})
const refundedSchema = z.object({
  mchid: z.string(),
  out_refund_no: z.string(),
  refund_id: z.string(),
  refund_status: z.enum(['SUCCESS', 'CLOSED', 'ABNORMAL']),
  success_time: z.iso.datetime({ offset: true }).optional(),
  amount: z.object({ refund: z.int().positive() }),
})
const billSchema = z.object({
  download_url: z.url(),
  hash_type: z.literal('SHA1'),
  hash_value: z.string().regex(/^[0-9a-fA-F]{40}$/),
})
const prepaidSchema = z.object({ prepay_id: z.string().min(1) })
const codeSchema = z.object({ code_url: z.string().min(1).max(1_000) })
const refundAnswerSchema = z.object({ status: z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL']) })

/** WeChat Pay, APIv3 (JSAPI for mini-programs): https://pay.weixin.qq.com/doc/v3/merchant/4012365342 on signatures. */
export function createWechatChannel(options: WechatOptions): PaymentChannel {
  const { clock, appId, merchantId } = options

  const call = async (path: string, body: object): Promise<unknown> => {
    const text = JSON.stringify(body)
    const answer = await options.send({
      method: 'POST',
      url: `${HOST}${path}`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'saddle',
        authorization: authorization({ ...options, method: 'POST', path, body: text }),
      },
      body: text,
    })
    checkSignature(options, { headers: answer.headers, body: Buffer.from(answer.body) })
    return parseAnswer(answer)
  }

  return {
    name: 'wechat',
    prepay: async ({ number, cents, description, payer }) => {
      const answer = await call('/v3/pay/transactions/jsapi', {
        appid: appId,
        mchid: merchantId,
        description,
        out_trade_no: number,
        notify_url: `${options.notifyUrl}/wechat`,
        amount: { total: cents, currency: 'CNY' },
        payer: { openid: payer },
      })
      return { parameters: clientParameters(options, prepaidSchema.parse(answer).prepay_id) }
    },
    code: async ({ number, cents, description }) => {
      const answer = await call('/v3/pay/transactions/native', {
        appid: appId,
        mchid: merchantId,
        description,
        out_trade_no: number,
        notify_url: `${options.notifyUrl}/wechat`,
        amount: { total: cents, currency: 'CNY' },
      })
      return codeSchema.parse(answer).code_url
    },
    refund: async ({ number, refundNumber, cents, totalCents, reason }) => {
      const answer = await call('/v3/refund/domestic/refunds', {
        out_trade_no: number,
        out_refund_no: refundNumber,
        reason,
        notify_url: `${options.notifyUrl}/wechat`,
        amount: { refund: cents, total: totalCents, currency: 'CNY' },
      })
      const { status } = refundAnswerSchema.parse(answer)
      if (status === 'CLOSED' || status === 'ABNORMAL') throw new Error(`WeChat Pay answers ${status}`)
      return status === 'SUCCESS' ? 'done' : 'pending'
    },
    bill: (day) => fetchBill(options, day),
    read: (callBack) => {
      checkSignature(options, callBack)
      return eventOf(options, parsed(envelopeSchema, callBack.body.toString('utf8')), clock.now())
    },
    answer: (isTaken) => ({
      status: isTaken ? 200 : 500,
      contentType: 'application/json',
      body: JSON.stringify(isTaken ? { code: 'SUCCESS' } : { code: 'FAIL', message: '失败' }),
    }),
  }
}

/** Bills of a day are there from about ten o'clock of the next; before, and for a day without payments, there is none. */
async function fetchBill(options: WechatOptions, day: string): Promise<DailyBill | null> {
  const path = `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`
  const headersOf = (of: string) => ({
    accept: 'application/json',
    'user-agent': 'saddle',
    authorization: authorization({ ...options, method: 'GET', path: of, body: '' }),
  })
  const answer = await options.send({ method: 'GET', url: `${HOST}${path}`, headers: headersOf(path), body: '' })
  if (noBill.test(answer.body) && answer.status >= 400) return null
  checkSignature(options, { headers: answer.headers, body: Buffer.from(answer.body) })
  const bill = billSchema.parse(parseAnswer(answer))
  const url = new URL(bill.download_url)
  // The request for the file is signed too, and no other host gets such a signature.
  if (url.origin !== HOST) throw new Error('the bill lies on another host')
  const chunks = await options.download({ method: 'GET', url: url.href, headers: headersOf(url.pathname + url.search) })
  return { format: 'wechat', sha1: bill.hash_value.toLowerCase(), chunks }
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new CallBackError('the content of the call-back has another form', { cause })
  }
}

function parseAnswer({ status, body }: HttpAnswer): unknown {
  if (status >= 200 && status < 300) return JSON.parse(body)
  throw new Error(`WeChat Pay answers ${status}: ${body.slice(0, 200)}`)
}

function eventOf(options: WechatOptions, envelope: z.infer<typeof envelopeSchema>, now: number): ChannelEvent | null {
  const { id: eventId, event_type: type, resource } = envelope
  if (type === 'TRANSACTION.SUCCESS') {
    const paid = parsed(paidSchema, opened(options.apiKey, resource))
    if (paid.mchid !== options.merchantId || paid.appid !== options.appId)
      throw new CallBackError('of another merchant')
    if (paid.trade_state !== 'SUCCESS') return null
    const { out_trade_no: number, transaction_id: tradeNumber, amount, success_time: time } = paid
    const payer = paid.payer?.openid
    return { eventId, kind: 'paid', number, tradeNumber, cents: amount.total, at: Date.parse(time), payer }
  }
  if (type.startsWith('REFUND.')) {
    const refund = parsed(refundedSchema, opened(options.apiKey, resource))
    if (refund.mchid !== options.merchantId) throw new CallBackError('of another merchant')
    return {
      eventId,
      kind: refund.refund_status === 'SUCCESS' ? 'refunded' : 'refund_failed',
      number: refund.out_refund_no,
      tradeNumber: refund.refund_id,
      cents: refund.amount.refund,
      at: refund.success_time === undefined ? now : Date.parse(refund.success_time),
    }
  }
  return null
}

function opened(apiKey: string, resource: z.infer<typeof envelopeSchema>['resource']): string {
  const bytes = Buffer.from(resource.ciphertext, 'base64')
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(apiKey), Buffer.from(resource.nonce), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(resource.associated_data ?? ''))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new CallBackError('the resource of the call-back does not open', { cause })
  }
}

function sign(privateKey: KeyObject, lines: readonly string[]): string {
  return createSign('RSA-SHA256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .sign(privateKey, 'base64')
}

function authorization(options: WechatOptions & { method: string; path: string; body: string }): string {
  const { clock, random, privateKey, merchantId, serial, method, path, body } = options
  const timestamp = String(Math.floor(clock.now() / 1_000))
  const nonce = Buffer.from(random.bytes(16)).toString('hex')
  const signature = sign(privateKey, [method, path, timestamp, nonce, body])
  return (
    `WECHATPAY2-SHA256-RSA2048 mchid="${merchantId}",nonce_str="${nonce}",signature="${signature}",` +
    `timestamp="${timestamp}",serial_no="${serial}"`
  )
}

/** What wx.requestPayment takes. */
function clientParameters(
  { clock, random, privateKey, appId }: WechatOptions,
  prepayId: string,
): Record<string, string> {
  const timeStamp = String(Math.floor(clock.now() / 1_000))
  const nonceStr = Buffer.from(random.bytes(16)).toString('hex')
  const pack = `prepay_id=${prepayId}`
  const paySign = sign(privateKey, [appId, timeStamp, nonceStr, pack])
  return { appId, timeStamp, nonceStr, package: pack, signType: 'RSA', paySign }
}

/** Throws CallBackError unless WeChat Pay itself signed these bytes, and lately. */
function checkSignature({ clock, platformSerial, platformKey }: WechatOptions, { headers, body }: CallBack): void {
  const timestamp = headers['wechatpay-timestamp'] ?? ''
  const nonce = headers['wechatpay-nonce'] ?? ''
  const signature = headers['wechatpay-signature'] ?? ''
  if (headers['wechatpay-serial'] !== platformSerial)
    throw new CallBackError('signed with a key that is not known here')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(clock.now() / 1_000 - Number(timestamp)) > MAX_SKEW_S) {
    throw new CallBackError('too old, or of another time')
  }
  const verify = createVerify('RSA-SHA256').update(`${timestamp}\n${nonce}\n`).update(body).update('\n')
  if (!verify.verify(platformKey, signature, 'base64'))
    throw new CallBackError('the signature is not that of WeChat Pay')
}
