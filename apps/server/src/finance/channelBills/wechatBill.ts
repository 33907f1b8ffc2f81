import { businessOffsetMs } from '@saddle/contract/time.ts'
import { yuanText } from '@saddle/contract/money.ts'
import {
  BillError,
  centsOf,
  columnsOf,
  instantOf,
  millicentsOf,
  wordOf,
  type BillLine,
  type BillReader,
} from './bill.ts'

/**
 * WeChat Pay's `tradebill`: a title row, lines whose cells are led by a backtick, a title row of sums and one line of them.
 * https://pay.weixin.qq.com/doc/v3/merchant/4012365342 describes the columns; they are found by their titles.
 */

const titles = [
  '交易时间',
  '公众账号ID',
  '商户号',
  '特约商户号',
  '设备号',
  '微信订单号',
  '商户订单号',
  '用户标识',
  '交易类型',
  '交易状态',
  '付款银行',
  '货币种类',
  '应结订单金额',
  '代金券金额',
  '微信退款单号',
  '商户退款单号',
  '退款金额',
  '充值券退款金额',
  '退款类型',
  '退款状态',
  '商品名称',
  '商户数据包',
  '手续费',
  '费率',
  '订单金额',
  '申请退款金额',
  '费率备注',
] as const
const sumTitles = [
  '总交易单数',
  '应结订单总金额',
  '退款总金额',
  '充值券退款总金额',
  '手续费总金额',
  '订单总金额',
  '申请退款总金额',
] as const

const wanted = {
  at: '交易时间',
  tradeNumber: '微信订单号',
  orderNumber: '商户订单号',
  state: '交易状态',
  currency: '货币种类',
  refundTradeNumber: '微信退款单号',
  refundNumber: '商户退款单号',
  refundState: '退款状态',
  fee: '手续费',
  cents: '订单金额',
  refundCents: '申请退款金额',
} as const
type Places = Record<keyof typeof wanted, number>

const lineStates: Readonly<Record<string, BillLine['status']>> = { SUCCESS: 'success', REVOKED: 'revoked' }
const refundStates: Readonly<Record<string, BillLine['status']>> = {
  SUCCESS: 'success',
  PROCESSING: 'processing',
  CHANGE: 'failed',
  FAIL: 'failed',
}

const cellsOf = (line: string): string[] => line.slice(1).split(',`')

export const readWechatBill: BillReader = async function* (batches) {
  let places: Places | null = null
  const sums = emptySums()
  let n = 0
  let part: 'lines' | 'sums' | 'end' = 'lines'
  for await (const batch of batches) {
    const lines: BillLine[] = []
    for (const text of batch) {
      if (text === '') continue
      if (places === null) {
        places = columnsOf(text.split(','), wanted)
        continue
      }
      if (!text.startsWith('`')) {
        if (part !== 'lines' || !text.startsWith(sumTitles[0]))
          throw new BillError(`behind line ${n}: no line of a bill`)
        sums.places = new Map(text.split(',').map((title, place) => [title, place]))
        part = 'sums'
        continue
      }
      if (part === 'sums') {
        checkSums(sums, cellsOf(text))
        part = 'end'
        continue
      }
      if (part === 'end') throw new BillError('lines follow the sums')
      n += 1
      const line = lineOf(cellsOf(text), places, n)
      add(sums, line)
      lines.push(line)
    }
    if (lines.length > 0) yield lines
  }
  if (places === null) throw new BillError('the file is empty')
  if (part !== 'end') throw new BillError('the file ends before its sums', { code: 'channel_bill_incomplete' })
}

function lineOf(cells: readonly string[], places: Places, n: number): BillLine {
  const where = `line ${n}`
  const cell = (name: keyof Places): string => {
    const text = cells[places[name]]
    if (text === undefined) throw new BillError(`${where} has ${cells.length} cells`)
    return text
  }
  if (cell('currency') !== 'CNY') throw new BillError(`${where}: "${cell('currency').slice(0, 10)}" is not CNY`)
  const orderNumber = wordOf(cell('orderNumber'), where)
  const isRefund = cell('state') === 'REFUND'
  const status = isRefund ? refundStates[cell('refundState')] : lineStates[cell('state')]
  const number = isRefund ? wordOf(cell('refundNumber'), where) : orderNumber
  if (status === undefined) throw new BillError(`${where}: its state is unknown`)
  if (number === '') throw new BillError(`${where} has no number of the merchant`)
  return {
    n,
    isRefund,
    number,
    orderNumber,
    tradeNumber: wordOf(cell(isRefund ? 'refundTradeNumber' : 'tradeNumber'), where),
    at: instantOf(cell('at'), where),
    cents: Math.abs(centsOf(cell(isRefund ? 'refundCents' : 'cents'), where)),
    feeMillicents: millicentsOf(cell('fee'), where),
    status,
  }
}

type Sums = {
  lines: number
  payments: number
  paid: number
  refunded: number
  fee: number
  places: Map<string, number>
}
const emptySums = (): Sums => ({ lines: 0, payments: 0, paid: 0, refunded: 0, fee: 0, places: new Map() })

function add(sums: Sums, line: BillLine): void {
  sums.lines += 1
  if (line.isRefund) {
    sums.refunded += line.cents
  } else {
    sums.payments += 1
    sums.paid += line.cents
  }
  sums.fee += line.feeMillicents
}

/** A file that was cut short or changed does not sum to what its last line says. */
function checkSums(sums: Sums, cells: readonly string[]): void {
  const said = (title: (typeof sumTitles)[number]): string => {
    const text = cells[sums.places.get(title) ?? -1]
    if (text === undefined) throw new BillError(`the sum ${title} is missing`)
    return text
  }
  // Bills of payments and refunds together have counted both, or payments alone.
  const count = Number(said('总交易单数'))
  if (count !== sums.lines && count !== sums.payments) {
    throw new BillError(`the bill names ${said('总交易单数').slice(0, 12)} lines and has ${sums.lines}`, {
      code: 'channel_bill_incomplete',
    })
  }
  check('订单总金额', centsOf(said('订单总金额'), '订单总金额'), sums.paid)
  check('申请退款总金额', Math.abs(centsOf(said('申请退款总金额'), '申请退款总金额')), sums.refunded)
  const fee = said('手续费总金额')
  // With fewer decimals than the lines have, it is rounded.
  const decimals = fee.split('.')[1]?.length ?? 0
  const tolerance = decimals >= 5 ? 0 : 10 ** (5 - decimals) / 2
  if (Math.abs(millicentsOf(fee, '手续费总金额') - sums.fee) > tolerance)
    throw new BillError('the fees do not sum', { code: 'channel_bill_incomplete' })
}

function check(title: string, said: number, sum: number): void {
  if (said === sum) return
  const message = `${title} is ${yuanText(said)}, the lines sum to ${yuanText(sum)}`
  throw new BillError(message, { code: 'channel_bill_incomplete' })
}

const merchant = { appId: 'wxsandbox00000000', number: '1900000001' } as const

/** The bill that WeChat Pay would write of these lines, in pieces. The sandbox's rate stands beside its fees. */
export async function* writeWechatBill(batches: AsyncIterable<readonly BillLine[]>): AsyncGenerator<string> {
  yield `\ufeff${titles.join()}\r\n`
  const sums = emptySums()
  for await (const lines of batches) {
    let text = ''
    for (const line of lines) {
      add(sums, line)
      text += wechatRow(line)
    }
    yield text
  }
  yield `${sumTitles.join()}\r\n`
  const refunded = yuanText(sums.refunded)
  yield rowOf([sums.lines, yuanText(sums.paid), refunded, '0.00', feeText(sums.fee), yuanText(sums.paid), refunded])
}

function wechatRow(line: BillLine): string {
  const { isRefund, cents } = line
  const yuan = yuanText(cents)
  return rowOf([
    timeText(line.at),
    merchant.appId,
    merchant.number,
    '0',
    '',
    isRefund ? `4200${line.orderNumber.slice(0, 24)}` : line.tradeNumber,
    line.orderNumber,
    'o-sandbox',
    'JSAPI',
    isRefund ? 'REFUND' : line.status === 'revoked' ? 'REVOKED' : 'SUCCESS',
    'OTHERS',
    'CNY',
    isRefund ? '0.00' : yuan,
    '0.00',
    isRefund ? line.tradeNumber : '0',
    isRefund ? line.number : '0',
    isRefund ? yuan : '0.00',
    '0.00',
    isRefund ? 'ORIGINAL' : '',
    isRefund ? refundWords[line.status] : '',
    '骑行',
    '',
    feeText(line.feeMillicents),
    '0.60%',
    isRefund ? '0.00' : yuan,
    isRefund ? yuan : '0.00',
    '',
  ])
}

const refundWords = { success: 'SUCCESS', processing: 'PROCESSING', failed: 'FAIL', revoked: 'FAIL' } as const

const rowOf = (cells: readonly (string | number)[]): string => `\`${cells.join(',`')}\r\n`

const timeText = (at: number): string => new Date(at + businessOffsetMs).toISOString().slice(0, 19).replace('T', ' ')

function feeText(millicents: number): string {
  const size = Math.abs(millicents)
  return `${millicents < 0 ? '-' : ''}${Math.floor(size / 100_000)}.${String(size % 100_000).padStart(5, '0')}`
}
