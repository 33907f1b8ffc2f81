import { createSign, createVerify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { yuanText, centsOfYuan } from '@saddle/contract/money.ts'
import { businessOffsetMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'
import { CallBackError, type ChannelEvent, type Download, type PaymentChannel, type Send } from './channel.ts'

export type AlipayOptions = {
  readonly clock: Clock
  readonly send: Send
  readonly download: Download
  readonly appId: string
  readonly privateKey: KeyObject
  /** Alipay's public key (not the application's). */
  readonly alipayKey: KeyObject
  readonly notifyUrl: string
}

const GATEWAY = 'https://openapi.alipay.com/gateway.do'
const AMOUNT = /^(\d{1,12})\.(\d{2})$/
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

const notificationSchema = z.object({
  notify_id: z.string().min(1).max(128),
  app_id: z.string(),
  out_trade_no: z.string().min(1),
  trade_no: z.string().min(1),
  trade_status: z.string(),
  total_amount: z.string().regex(AMOUNT),
  gmt_payment: z.string().regex(TIME).optional(),
  // Newer applications get the second instead of the first.
  buyer_id: z.string().min(1).max(128).optional(),
  buyer_open_id: z.string().min(1).max(128).optional(),
  // Present on what is told of a refund; such a message repeats the payment's status.
  refund_fee: z.string().optional(),
})
const codeAnswerSchema = z.object({
  code: z.string(),
  sub_msg: z.string().optional(),
  qr_code: z.string().max(1_000).optional(),
})
const refundAnswerSchema = z.object({
  code: z.string(),
  sub_msg: z.string().optional(),
  fund_change: z.string().optional(),
})

const billAnswerSchema = z.object({
  code: z.string(),
  sub_code: z.string().optional(),
  sub_msg: z.string().optional(),
  bill_download_url: z.url({ protocol: /^https?$/, hostname: /(?:^|\.)alipay\.com$/ }).optional(),
})
/** What is answered before a bill is made, and where nothing was paid on the day. */
const noBill = /^isp\.bill_not_exist$/i

/** Alipay, RSA2: https://opendocs.alipay.com/common/02khjm on signatures. */
export function createAlipayChannel(options: AlipayOptions): PaymentChannel {
  const signed = (method: string, content: object, extra: Record<string, string>): URLSearchParams => {
    const parameters: Record<string, string> = {
      app_id: options.appId,
      method,
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: chinaTime(options.clock.now()),
      version: '1.0',
      biz_content: JSON.stringify(content),
      ...extra,
    }
    const sign = createSign('RSA-SHA256').update(canonical(parameters)).sign(options.privateKey, 'base64')
    return new URLSearchParams({ ...parameters, sign })
  }

  return {
    name: 'alipay',
    prepay: async ({ number, cents, description }) => {
      const content = {
        out_trade_no: number,
        total_amount: yuanText(cents),
        subject: description,
        product_code: 'QUICK_MSECURITY_PAY',
      }
      // Nothing is asked of Alipay: the app hands the signed order over itself.
      const order = signed('alipay.trade.app.pay', content, { notify_url: `${options.notifyUrl}/alipay` })
      return { parameters: { orderString: order.toString() } }
    },
    code: async ({ number, cents, description }) => {
      const content = { out_trade_no: number, total_amount: yuanText(cents), subject: description }
      const answer = await options.send({
        method: 'POST',
        url: GATEWAY,
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
        body: signed('alipay.trade.precreate', content, { notify_url: `${options.notifyUrl}/alipay` }).toString(),
      })
      if (answer.status !== 200) throw new Error(`Alipay answers ${answer.status}`)
      const result = codeAnswerSchema.parse(
        signedContent(options.alipayKey, 'alipay_trade_precreate_response', answer.body),
      )
      if (result.code !== '10000' || result.qr_code === undefined) {
        throw new Error(`Alipay answers ${result.code}: ${result.sub_msg ?? ''}`)
      }
      return result.qr_code
    },
    refund: async ({ number, refundNumber, cents, reason }) => {
      const content = {
        out_trade_no: number,
        out_request_no: refundNumber,
        refund_amount: yuanText(cents),
        refund_reason: reason,
      }
      const answer = await options.send({
        method: 'POST',
        url: GATEWAY,
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
        body: signed('alipay.trade.refund', content, {}).toString(),
      })
      if (answer.status !== 200) throw new Error(`Alipay answers ${answer.status}`)
      const result = refundAnswerSchema.parse(
        signedContent(options.alipayKey, 'alipay_trade_refund_response', answer.body),
      )
      if (result.code !== '10000') throw new Error(`Alipay answers ${result.code}: ${result.sub_msg ?? ''}`)
      // Asked again for a refund that was made, Alipay says that nothing moved: it was done before.
      return 'done'
    },
    bill: async (day) => {
      const method = 'alipay.data.dataservice.bill.downloadurl.query'
      const answer = await options.send({
        method: 'POST',
        url: GATEWAY,
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
        body: signed(method, { bill_type: 'trade', bill_date: day }, {}).toString(),
      })
      if (answer.status !== 200) throw new Error(`Alipay answers ${answer.status}`)
      const name = `${method.replaceAll('.', '_')}_response`
      const result = billAnswerSchema.parse(signedContent(options.alipayKey, name, answer.body))
      if (noBill.test(result.sub_code ?? '')) return null
      if (result.code !== '10000' || result.bill_download_url === undefined) {
        throw new Error(`Alipay answers ${result.code}: ${result.sub_msg ?? ''}`)
      }
      const url = result.bill_download_url.replace(/^http:/, 'https:')
      // The address is signed and lasts half a minute; Alipay gives no hash beside the archive, whose own sums are checked.
      return { format: 'alipay', sha1: null, chunks: await options.download({ method: 'GET', url, headers: {} }) }
    },
    read: ({ body }) => readNotification(options, body.toString('utf8')),
    answer: (isTaken) => ({ status: 200, contentType: 'text/plain', body: isTaken ? 'success' : 'failure' }),
  }
}

function readNotification(options: AlipayOptions, body: string): ChannelEvent | null {
  const fields = [...new URLSearchParams(body)]
  const names = new Set(fields.map(([name]) => name))
  // With two fields of the same name, it is unknown which one was signed.
  if (names.size !== fields.length) throw new CallBackError('a field comes twice')
  const { sign = '', sign_type: signType, ...content } = Object.fromEntries(fields)
  if (signType !== 'RSA2') throw new CallBackError('not signed by RSA2')
  const verify = createVerify('RSA-SHA256').update(canonical(content))
  if (!verify.verify(options.alipayKey, sign, 'base64')) throw new CallBackError('the signature is not that of Alipay')
  const parsed = notificationSchema.safeParse(content)
  if (!parsed.success) throw new CallBackError('the content of the call-back has another form')
  const { data } = parsed
  if (data.app_id !== options.appId) throw new CallBackError('of another application')
  if (data.trade_status !== 'TRADE_SUCCESS' && data.trade_status !== 'TRADE_FINISHED') return null
  // The refund itself was already answered when it was asked for.
  if (data.refund_fee !== undefined) return null
  return {
    eventId: data.notify_id,
    kind: 'paid',
    number: data.out_trade_no,
    tradeNumber: data.trade_no,
    cents: centsOfYuan(data.total_amount, 12) ?? 0,
    at:
      data.gmt_payment === undefined ? options.clock.now() : Date.parse(`${data.gmt_payment.replace(' ', 'T')}+08:00`),
    payer: data.buyer_open_id ?? data.buyer_id,
  }
}

/** The named part of an answer, after its signature, which covers those very characters, was verified. */
function signedContent(key: KeyObject, name: string, body: string): unknown {
  const start = body.indexOf(`"${name}":`)
  const end = body.lastIndexOf(',"sign":"')
  const sign = /"sign":"([^"]+)"/.exec(body)?.[1]
  // Alipay puts the certificate's number between the two when certificates are used.
  const content = body.slice(start + name.length + 3, end).replace(/,"alipay_cert_sn":"[^"]*"$/, '')
  if (start < 0 || end < start || sign === undefined) throw new Error('the answer of Alipay is not signed')
  if (!createVerify('RSA-SHA256').update(content).verify(key, sign, 'base64')) {
    throw new Error('the answer is not signed by Alipay')
  }
  return JSON.parse(content)
}

/** Sorted by name, empty ones left out, values as they are and not encoded. */
function canonical(parameters: Readonly<Record<string, string>>): string {
  return Object.keys(parameters)
    .filter((name) => parameters[name] !== '')
    .toSorted()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')
}

function chinaTime(ms: number): string {
  return new Date(ms + businessOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}
