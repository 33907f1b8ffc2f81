import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { BillFormat, BillLine } from './bill.ts'
import { readBill } from './billFile.ts'
import { writeWechatBill } from './wechatBill.ts'

const folder = mkdtempSync(join(tmpdir(), 'saddle-bills-'))
let files = 0
async function read(bytes: Uint8Array, format: BillFormat, bytesMax?: number): Promise<BillLine[]> {
  files += 1
  const path = join(folder, String(files))
  writeFileSync(path, bytes)
  const lines: BillLine[] = []
  const options = bytesMax === undefined ? { format } : { format, bytesMax }
  for await (const batch of readBill({ path }, options)) lines.push(...batch)
  return lines
}

const at = Date.UTC(2026, 10, 20, 1, 2, 3)
const line = (n: number, changes: Partial<BillLine> = {}): BillLine => ({
  n,
  isRefund: false,
  number: `order${n}`,
  orderNumber: `order${n}`,
  tradeNumber: `4200000${n}`,
  at,
  cents: 1_234,
  feeMillicents: 7_404,
  status: 'success',
  ...changes,
})
const lines = [
  line(1),
  line(2, { cents: 1, feeMillicents: 6, status: 'revoked' }),
  line(3, { isRefund: true, number: 'back3', orderNumber: 'order1', cents: 234, feeMillicents: -1_404 }),
  line(4, {
    isRefund: true,
    number: 'back4',
    orderNumber: 'order1',
    cents: 5,
    feeMillicents: -30,
    status: 'processing',
  }),
]
async function written(of: readonly BillLine[]): Promise<string> {
  let text = ''
  for await (const part of writeWechatBill(
    (async function* () {
      yield of
    })(),
  ))
    text += part
  return text
}

describe('a bill of WeChat Pay', () => {
  it('has 27 columns led by backticks, fees of five decimals, refunds as lines and sums at the end', async () => {
    const [titles = '', first = '', , refund = '', , sumTitles, sums] = (await written(lines)).split('\r\n')
    expect(titles.replace('\ufeff', '').split(',')).toHaveLength(27)
    expect(first.split(',').every((cell) => cell.startsWith('`'))).toBe(true)
    expect(first.split(',')).toHaveLength(27)
    expect(first).toContain('`2026-11-20 09:02:03,')
    expect(first).toContain('`0.07404,')
    expect(refund).toContain('`REFUND,')
    expect(refund).toContain('`-0.01404,')
    expect(sumTitles).toBe(
      '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额',
    )
    expect(sums).toBe('`4,`12.35,`2.39,`0.00,`0.05976,`12.35,`2.39')
  })

  it('is read as it was written, plain and packed', async () => {
    const text = await written(lines)
    expect(await read(Buffer.from(text), 'wechat')).toEqual(lines)
    expect(await read(gzipSync(text), 'wechat')).toEqual(lines)
  })

  it('keeps commas of goods and finds columns by their titles', async () => {
    const text = (await written([line(1)])).replace('`骑行,', '`骑行, 一次,')
    expect(await read(Buffer.from(text), 'wechat')).toEqual([line(1)])
  })

  it('is refused as a whole where it is cut short, does not sum, or has what is unknown', async () => {
    const text = await written(lines)
    const refusals = [
      ['', 'channel_bill_unreadable'],
      ['hello', 'channel_bill_unreadable'],
      [text.slice(0, text.length - 60), 'channel_bill_incomplete'],
      [text.split('总交易单数')[0] ?? '', 'channel_bill_incomplete'],
      [
        text.replace('`12.34,`0.00,`0,', '`12.34,`0.00,`0,').replace(',`12.34,`0.00,`\r\n', ',`12.33,`0.00,`\r\n'),
        'channel_bill_incomplete',
      ],
      [text.replace('`SUCCESS,', '`STRANGE,'), 'channel_bill_unreadable'],
      [text.replace('`CNY', '`USD'), 'channel_bill_unreadable'],
      [text.replace('0.07404', '0.07405'), 'channel_bill_incomplete'],
      [text.replace('2026-11-20 09', 'yesterday9 09'), 'channel_bill_unreadable'],
    ] as const
    for (const [bad, code] of refusals) {
      await expect(read(Buffer.from(bad), 'wechat'), bad.slice(0, 80)).rejects.toMatchObject({ code })
    }
    await expect(read(gzipSync(text).subarray(0, 100), 'wechat')).rejects.toMatchObject({
      code: 'channel_bill_unreadable',
    })
    await expect(read(gzipSync(text), 'wechat', 500), 'more than may be unpacked').rejects.toThrow('too long')
  })
})

/** Bytes of GBK: what TextDecoder reads, found by trying each of its characters once. */
const gbkOf = (() => {
  const known = new Map<string, readonly number[]>()
  const decoder = new TextDecoder('gbk')
  for (let first = 0x81; first <= 0xfe; first += 1) {
    for (let second = 0x40; second <= 0xfe; second += 1) {
      const text = decoder.decode(Uint8Array.of(first, second))
      if (text.length === 1 && !known.has(text)) known.set(text, [first, second])
    }
  }
  return (text: string): Buffer =>
    Buffer.from(Array.from(text).flatMap((char) => known.get(char) ?? [char.codePointAt(0) ?? 63]))
})()

const alipayTitles =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
const alipayBill = (rows: readonly string[], end = true): string =>
  [
    '#支付宝业务明细查询',
    '#账号：[20880000000000000156]',
    '#起始日期：[2026年11月20日 00:00:00]   终止日期：[2026年11月21日 00:00:00]',
    '#-----------------------------------------业务明细列表----------------------------------------',
    alipayTitles,
    ...rows,
    ...(end
      ? [
          '#-----------------------------------------业务明细列表结束------------------------------------',
          '#交易合计：1笔，商家实收共12.34元，商家优惠共0.00元',
          '#退款合计：1笔，商家实收退款共-2.34元，商家优惠退款共0.00元',
          '#导出时间：[2026年11月21日 09:10:11]',
        ]
      : []),
  ].join('\r\n')
const paid =
  '2026112022001400000000000001\t,order1\t,交易\t,"骑行, 一次",2026-11-20 09:02:00,2026-11-20 09:02:03,\t,\t,\t,\t,*三(138****0000)\t,12.34,12.34,0.00,0.00,0.00,0.00,0.00,,0.00\t,0.00,\t,-0.07,0.00,'
const refunded =
  '2026112022001400000000000001\t,order1\t,退款\t,骑行,2026-11-20 09:02:00,2026-11-20 10:00:00,\t,\t,\t,\t,*三(138****0000)\t,-2.34,-2.34,0.00,0.00,0.00,0.00,0.00,,0.00\t,0.00,back1\t,0.01,0.00,'

/** An archive as Alipay packs it: names in GBK, the summary beside the list. */
function zipOf(entries: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of entries) {
    const [bytes, packed] = [gbkOf(name), deflateRawSync(content)]
    const sizes = (head: Buffer, from: number): void => {
      head.writeUInt32LE(crc32(content), from)
      head.writeUInt32LE(packed.length, from + 4)
      head.writeUInt32LE(content.length, from + 8)
      head.writeUInt16LE(bytes.length, from + 12)
    }
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    sizes(local, 14)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    sizes(entry, 16)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, bytes, packed)
    directory.push(entry, bytes)
    offset += local.length + bytes.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}

describe('a bill of Alipay', () => {
  const expected = [
    { n: 1, isRefund: false, number: 'order1', orderNumber: 'order1', cents: 1_234, feeMillicents: 7_000, at },
    { n: 2, isRefund: true, number: 'back1', orderNumber: 'order1', cents: 234, feeMillicents: -1_000 },
  ]

  it('is read out of its archive, in GBK, with refunds below zero and fees that were taken off', async () => {
    const text = alipayBill([paid, refunded])
    expect(await read(gbkOf(text), 'alipay')).toMatchObject(expected)
    const archive = zipOf([
      ['20880000000000000156_20261120_业务明细(汇总).csv', gbkOf('#支付宝业务汇总查询')],
      ['20880000000000000156_20261120_业务明细.csv', gbkOf(text)],
    ])
    expect(await read(archive, 'alipay')).toMatchObject(expected)
  })

  it('is refused as a whole where it is cut short, counts differently or is no bill', async () => {
    const bad = [
      [gbkOf(alipayBill([paid, refunded], false)), 'channel_bill_incomplete'],
      [gbkOf(alipayBill([paid])), 'channel_bill_incomplete'],
      [gbkOf(alipayBill([paid, refunded.replace('退款', '转账')])), 'channel_bill_unreadable'],
      [Buffer.from(alipayBill([paid, refunded])), 'channel_bill_unreadable'],
      [zipOf([['summary_汇总.csv', gbkOf('x')]]), 'channel_bill_unreadable'],
      [zipOf([['a.csv', gbkOf(alipayBill([paid, refunded]))]]).subarray(0, 200), 'channel_bill_unreadable'],
    ] as const
    for (const [bytes, code] of bad) await expect(read(bytes, 'alipay')).rejects.toMatchObject({ code })
  })
})
