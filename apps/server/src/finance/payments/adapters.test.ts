import { createCipheriv, createSign, createVerify, generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { createManualClock } from '#kit/clock.ts'
import { createSeededRandom } from '#kit/random.ts'
import { createAlipayChannel } from './alipay.ts'
import { CallBackError, type CallBack, type HttpAnswer, type HttpCall } from './channel.ts'
import { createWechatChannel } from './wechat.ts'

const NOW = Date.UTC(2026, 10, 21, 4)
const clock = createManualClock(NOW)
const random = createSeededRandom(7)
const merchant = generateKeyPairSync('rsa', { modulusLength: 2048 })
const platform = generateKeyPairSync('rsa', { modulusLength: 2048 })
const calls: HttpCall[] = []
let next: (call: HttpCall) => HttpAnswer = () => ({ status: 500, headers: {}, body: '' })
const send = async (call: HttpCall): Promise<HttpAnswer> => {
  calls.push(call)
  return next(call)
}

const downloads: string[] = []
const download = async ({ url }: { url: string }): Promise<AsyncIterable<Uint8Array>> => {
  downloads.push(url)
  return new ReadableStream<Uint8Array>({
    start: (to) => {
      to.enqueue(Buffer.from('bill'))
      to.close()
    },
  })
}

const API_KEY = '0123456789abcdef0123456789abcdef'
const wechat = createWechatChannel({
  clock,
  random,
  send,
  download,
  appId: 'wx8888888888888888',
  merchantId: '1900007291',
  serial: '408B07E79B8269FEC3D5D3E6AB8ED163A6A380DB',
  privateKey: merchant.privateKey,
  platformSerial: 'PUB_KEY_ID_0119000072912026',
  platformKey: platform.publicKey,
  apiKey: API_KEY,
  notifyUrl: 'https://pay.example.cn/pay/callback',
})

function byWechat(body: string, at = NOW): CallBack {
  const timestamp = String(Math.floor(at / 1_000))
  const nonce = 'EcT1hBp9lYsfhWxv'
  const signature = createSign('RSA-SHA256')
    .update(`${timestamp}\n${nonce}\n${body}\n`)
    .sign(platform.privateKey, 'base64')
  const headers = {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': signature,
    'wechatpay-serial': 'PUB_KEY_ID_0119000072912026',
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
  }
  return { headers, body: Buffer.from(body) }
}

/** A notification in the shape of WeChat's documentation, its resource sealed as WeChat does. */
function notification(type: string, content: object, key = API_KEY): string {
  const nonce = 'fdasfjihihih'
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), Buffer.from(nonce)).setAAD(Buffer.from('transaction'))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final(), cipher.getAuthTag()])
  return JSON.stringify({
    id: 'EV-2018022511223320873',
    create_time: '2026-11-21T12:00:00+08:00',
    resource_type: 'encrypt-resource',
    event_type: type,
    summary: '支付成功',
    resource: {
      original_type: 'transaction',
      algorithm: 'AEAD_AES_256_GCM',
      ciphertext: sealed.toString('base64'),
      associated_data: 'transaction',
      nonce,
    },
  })
}

const transaction = {
  transaction_id: '1217752501201407033233368018',
  amount: { payer_total: 100, total: 100, currency: 'CNY', payer_currency: 'CNY' },
  mchid: '1900007291',
  trade_state: 'SUCCESS',
  bank_type: 'CMC',
  success_time: '2026-11-21T12:00:00+08:00',
  payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
  out_trade_no: '1217752501201407033233368018abcd',
  appid: 'wx8888888888888888',
  trade_state_desc: '支付成功',
  trade_type: 'JSAPI',
}

it('reads what WeChat Pay signed, and nothing else', () => {
  const body = notification('TRANSACTION.SUCCESS', transaction)
  expect(wechat.read(byWechat(body))).toEqual({
    eventId: 'EV-2018022511223320873',
    kind: 'paid',
    number: transaction.out_trade_no,
    tradeNumber: transaction.transaction_id,
    cents: 100,
    at: NOW,
    payer: transaction.payer.openid,
  })
  const genuine = byWechat(body)
  const faults: [string, CallBack][] = [
    ['another body', { ...genuine, body: Buffer.from(`${body} `) }],
    ['printed again', { ...genuine, body: Buffer.from(JSON.stringify(JSON.parse(body), null, 1)) }],
    ['no headers', { ...genuine, headers: {} }],
    ['another serial', { ...genuine, headers: { ...genuine.headers, 'wechatpay-serial': 'X' } }],
    ['another time', { ...genuine, headers: { ...genuine.headers, 'wechatpay-timestamp': '1795233601' } }],
    ['another nonce', { ...genuine, headers: { ...genuine.headers, 'wechatpay-nonce': 'x' } }],
    ['old', byWechat(body, NOW - 301_000)],
    ['another key inside', byWechat(notification('TRANSACTION.SUCCESS', transaction, API_KEY.toUpperCase()))],
    ['another merchant', byWechat(notification('TRANSACTION.SUCCESS', { ...transaction, mchid: '1' }))],
    ['another application', byWechat(notification('TRANSACTION.SUCCESS', { ...transaction, appid: 'wx1' }))],
    ['another form', byWechat('{}')],
  ]
  for (const [name, callBack] of faults) expect(() => wechat.read(callBack), name).toThrow(CallBackError)
  expect(
    wechat.read(byWechat(notification('TRANSACTION.SUCCESS', { ...transaction, trade_state: 'USERPAYING' }))),
  ).toBeNull()
})

it('reads the end of a refund by WeChat Pay', () => {
  const refund = {
    mchid: '1900007291',
    out_trade_no: transaction.out_trade_no,
    transaction_id: transaction.transaction_id,
    out_refund_no: '7752501201407033233368018',
    refund_id: '50200207182018070300011301001',
    refund_status: 'SUCCESS',
    success_time: '2026-11-21T12:00:00+08:00',
    user_received_account: '招商银行信用卡0403',
    amount: { total: 999, refund: 600, payer_total: 999, payer_refund: 600 },
  }
  expect(wechat.read(byWechat(notification('REFUND.SUCCESS', refund)))).toMatchObject({ kind: 'refunded', cents: 600 })
  const abnormal = { ...refund, refund_status: 'ABNORMAL', success_time: undefined }
  expect(wechat.read(byWechat(notification('REFUND.ABNORMAL', abnormal)))).toMatchObject({ kind: 'refund_failed' })
})

it('signs what it asks of WeChat Pay, checks the answer, and gives the app signed parameters', async () => {
  next = () => {
    const answer = byWechat(JSON.stringify({ prepay_id: 'wx201410272009395522657a690389285100' }))
    return { status: 200, headers: answer.headers, body: answer.body.toString() }
  }
  const { parameters } = await wechat.prepay({
    number: 'a'.repeat(32),
    cents: 100,
    description: '充值',
    payer: 'oUpF8',
  })
  const call = calls.at(-1)!
  const form =
    /^WECHATPAY2-SHA256-RSA2048 mchid="1900007291",nonce_str="(\w{32})",signature="([^"]+)",timestamp="(\d{10})",serial_no="408B07E79B8269FEC3D5D3E6AB8ED163A6A380DB"$/
  const [, nonce, signature = '', timestamp] = form.exec(call.headers['authorization'] ?? '') ?? []
  const signed = `POST\n/v3/pay/transactions/jsapi\n${timestamp}\n${nonce}\n${call.body}\n`
  expect(createVerify('RSA-SHA256').update(signed).verify(merchant.publicKey, signature, 'base64')).toBe(true)
  const { appId, timeStamp, nonceStr, paySign = '', ...rest } = parameters
  const paid = `${appId}\n${timeStamp}\n${nonceStr}\n${rest['package']}\n`
  expect(createVerify('RSA-SHA256').update(paid).verify(merchant.publicKey, paySign, 'base64')).toBe(true)
  expect(rest['package']).toBe('prepay_id=wx201410272009395522657a690389285100')

  next = () => ({ status: 200, headers: {}, body: '{"prepay_id":"wx0"}' })
  await expect(wechat.prepay({ number: 'b', cents: 1, description: '', payer: '' })).rejects.toThrow(CallBackError)
})

const alipay = createAlipayChannel({
  clock,
  send,
  download,
  appId: '2014072300007148',
  privateKey: merchant.privateKey,
  alipayKey: platform.publicKey,
  notifyUrl: 'https://pay.example.cn/pay/callback',
})

// A notification in the shape of Alipay's documentation.
const notice: Record<string, string> = {
  gmt_create: '2026-11-21 11:59:50',
  charset: 'utf-8',
  seller_email: 'seller@example.cn',
  subject: '充值 10 元',
  notify_id: 'ac05099524730693a8b330c5ecf72da9786',
  notify_type: 'trade_status_sync',
  version: '1.0',
  buyer_id: '2088102116773037',
  passback_params: '',
  app_id: '2014072300007148',
  trade_status: 'TRADE_SUCCESS',
  trade_no: '2013112011001004330000121536',
  out_trade_no: '6823789339978248abcd',
  gmt_payment: '2026-11-21 12:00:00',
  notify_time: '2026-11-21 12:00:02',
  total_amount: '10.08',
  buyer_logon_id: '15901****@qq.com',
}

function byAlipay(fields: Record<string, string>): CallBack {
  const signed = Object.keys(fields)
    .filter((name) => fields[name] !== '')
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  const sign = createSign('RSA-SHA256').update(signed).sign(platform.privateKey, 'base64')
  return { headers: {}, body: Buffer.from(new URLSearchParams({ ...fields, sign_type: 'RSA2', sign }).toString()) }
}

it('reads what Alipay signed, and nothing else', () => {
  expect(alipay.read(byAlipay(notice))).toEqual({
    eventId: notice['notify_id'],
    kind: 'paid',
    number: notice['out_trade_no'],
    tradeNumber: notice['trade_no'],
    cents: 1_008,
    at: NOW,
    payer: notice['buyer_id'],
  })
  expect(alipay.read(byAlipay({ ...notice, trade_status: 'WAIT_BUYER_PAY' }))).toBeNull()
  expect(alipay.read(byAlipay({ ...notice, refund_fee: '10.08' }))).toBeNull()
  const text = byAlipay(notice).body.toString()
  const faults: [string, string][] = [
    ['another amount', text.replace('total_amount=10.08', 'total_amount=1008.00')],
    ['a field more', `${text}&seller_id=1`],
    ['a field twice', `${text}&total_amount=10.08`],
    ['another type of signature', text.replace('RSA2', 'RSA')],
    ['unsigned', new URLSearchParams(notice).toString()],
    ['another application', byAlipay({ ...notice, app_id: '1' }).body.toString()],
    ['another form', byAlipay({ ...notice, total_amount: '10' }).body.toString()],
  ]
  for (const [name, body] of faults) {
    expect(() => alipay.read({ headers: {}, body: Buffer.from(body) }), name).toThrow(CallBackError)
  }
})

it('signs the order for the app and the refund, and believes only a signed answer', async () => {
  const order = { number: 'c'.repeat(32), cents: 1_005, description: '充值', payer: null }
  const { parameters } = await alipay.prepay(order)
  const sent = Object.fromEntries(new URLSearchParams(parameters['orderString']))
  const { sign = '', ...content } = sent
  const text = Object.keys(content)
    .toSorted()
    .map((name) => `${name}=${content[name]}`)
    .join('&')
  expect(createVerify('RSA-SHA256').update(text).verify(merchant.publicKey, sign, 'base64')).toBe(true)
  expect(JSON.parse(content['biz_content'] ?? '')).toMatchObject({ total_amount: '10.05', out_trade_no: order.number })
  expect(content['timestamp']).toBe('2026-11-21 12:00:00')

  const answer = (code: string): string =>
    `{"code":"${code}","msg":"x","fund_change":"Y","out_trade_no":"6823","refund_fee":"10.05"}`
  const body = (content: string): string => {
    const sign = createSign('RSA-SHA256').update(content).sign(platform.privateKey, 'base64')
    return `{"alipay_trade_refund_response":${content},"sign":"${sign}"}`
  }
  const refund = { number: order.number, refundNumber: 'r', cents: 1_005, totalCents: 1_005, reason: '退款' }
  next = () => ({ status: 200, headers: {}, body: body(answer('10000')) })
  expect(await alipay.refund(refund)).toBe('done')
  next = () => ({ status: 200, headers: {}, body: body(answer('40004')) })
  await expect(alipay.refund(refund)).rejects.toThrow('40004')
  next = () => ({ status: 200, headers: {}, body: body(answer('40004')).replace('40004', '10000') })
  await expect(alipay.refund(refund)).rejects.toThrow('not signed')
})

const answered = (body: string): HttpAnswer => ({ status: 200, headers: byWechat(body).headers, body })

it('fetches the bill of a day from WeChat Pay: the address is asked for and the file too, both signed', async () => {
  const url = 'https://api.mch.weixin.qq.com/v3/billdownload/file?token=xx'
  const sha1 = 'c2d9a6d5ad8ed3b4f5fbb5bb1bd4d5ae39a4f66b'
  next = () => answered(JSON.stringify({ hash_type: 'SHA1', hash_value: sha1.toUpperCase(), download_url: url }))
  expect(await wechat.bill('2026-11-20')).toMatchObject({ format: 'wechat', sha1 })
  expect(calls.at(-1)?.url).toBe('https://api.mch.weixin.qq.com/v3/bill/tradebill?bill_date=2026-11-20&bill_type=ALL')
  expect(downloads.at(-1)).toBe(url)
  next = () => answered(JSON.stringify({ hash_type: 'SHA1', hash_value: sha1, download_url: 'https://example.cn/x' }))
  await expect(wechat.bill('2026-11-20'), 'a signature for another host').rejects.toThrow('another host')
  next = () => ({ status: 400, headers: {}, body: '{"code":"NO_STATEMENT_EXIST"}' })
  expect(await wechat.bill('2026-11-21')).toBeNull()
})

it('fetches the bill of a day from Alipay by an address that its answer is signed with', async () => {
  const answerOf = (content: object) => {
    const text = JSON.stringify(content)
    const sign = createSign('RSA-SHA256').update(text).sign(platform.privateKey, 'base64')
    const name = 'alipay_data_dataservice_bill_downloadurl_query_response'
    return { status: 200, headers: {}, body: `{"${name}":${text},"sign":"${sign}"}` }
  }
  const url = 'http://dwbillcenter.alipay.com/downloadBillFile.resource?bizType=X'
  next = () => answerOf({ code: '10000', msg: 'Success', bill_download_url: url })
  expect(await alipay.bill('2026-11-20')).toMatchObject({ format: 'alipay', sha1: null })
  expect(downloads.at(-1)).toBe(url.replace('http:', 'https:'))
  next = () => answerOf({ code: '40004', sub_code: 'isp.bill_not_exist', sub_msg: '账单不存在' })
  expect(await alipay.bill('2026-11-21')).toBeNull()
  next = () => answerOf({ code: '10000', bill_download_url: 'https://example.cn/bill' })
  await expect(alipay.bill('2026-11-20')).rejects.toThrow()
})
