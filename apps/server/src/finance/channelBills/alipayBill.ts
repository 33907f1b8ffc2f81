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
 * Alipay's trade bill (业务明细), as `alipay.data.dataservice.bill.downloadurl.query` gives it: GBK, remarks led by `#`, cells
 * that end in a tabulator, sums in remarks at the end. https://opendocs.alipay.com/open/02e7h0 describes it.
 */

const wanted = {
  tradeNumber: '支付宝交易号',
  orderNumber: '商户订单号',
  kind: '业务类型',
  at: '完成时间',
  cents: '订单金额',
  refundNumber: '退款批次号/请求号',
  fee: '服务费',
} as const
type Places = Record<keyof typeof wanted, number>

const listEnd = /^#-+业务明细列表结束-+/
const paidSum = /^#交易合计[:：]\s*(\d+)\s*笔/
const refundSum = /^#退款合计[:：]\s*(\d+)\s*笔/

/** Files have had brackets of both widths behind a title. */
const titleOf = (cell: string): string => cell.trim().replace(/[（(]元[）)]$/, '')

/** Cells with a comma stand in quotation marks. */
function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',').map((cell) => cell.trim())
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  )
}

export const readAlipayBill: BillReader = async function* (batches) {
  let places: Places | null = null
  let isEnded = false
  const counts = { paid: 0, refunded: 0 }
  for await (const batch of batches) {
    const lines: BillLine[] = []
    for (const text of batch) {
      if (text.startsWith('#')) {
        if (listEnd.test(text)) isEnded = true
        checkCount(paidSum.exec(text), counts.paid)
        checkCount(refundSum.exec(text), counts.refunded)
        continue
      }
      if (text.trim() === '') continue
      if (places === null) {
        places = columnsOf(text.split(',').map(titleOf), wanted)
        continue
      }
      if (isEnded) throw new BillError('lines follow the end of the list')
      const line = lineOf(cellsOf(text), places, counts.paid + counts.refunded + 1)
      if (line.isRefund) counts.refunded += 1
      else counts.paid += 1
      lines.push(line)
    }
    if (lines.length > 0) yield lines
  }
  if (places === null) throw new BillError('the file is empty')
  if (!isEnded) throw new BillError('the file ends before the end of its list', { code: 'channel_bill_incomplete' })
}

function checkCount(found: RegExpExecArray | null, count: number): void {
  if (found !== null && Number(found[1]) !== count) {
    throw new BillError(`the bill names ${found[1]} lines and has ${count}`, { code: 'channel_bill_incomplete' })
  }
}

function lineOf(cells: readonly string[], places: Places, n: number): BillLine {
  const where = `line ${n}`
  const cell = (name: keyof Places): string => {
    const text = cells[places[name]]
    if (text === undefined) throw new BillError(`${where} has ${cells.length} cells`)
    return text
  }
  const kind = cell('kind')
  if (kind !== '交易' && kind !== '退款') throw new BillError(`${where}: its kind is unknown`)
  const isRefund = kind === '退款'
  const orderNumber = wordOf(cell('orderNumber'), where)
  const refundNumber = wordOf(cell('refundNumber'), where)
  const fee = cell('fee')
  return {
    n,
    isRefund,
    // A refund that was asked for without a number of its own bears that of its payment.
    number: isRefund && refundNumber !== '' ? refundNumber : orderNumber,
    orderNumber,
    tradeNumber: wordOf(cell('tradeNumber'), where),
    at: instantOf(cell('at'), where),
    cents: Math.abs(centsOf(cell('cents'), where)),
    // The bill writes what was taken off as an amount below zero.
    feeMillicents: fee === '' ? 0 : 0 - millicentsOf(fee, where),
    status: 'success',
  }
}
