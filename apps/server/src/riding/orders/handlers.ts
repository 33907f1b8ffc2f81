import {
  orderCountMax,
  orderExportPartRows,
  type Order,
  type orderEndpoints,
  type OrderFilter,
} from '@saddle/contract/riding/orders.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime, csvPart } from '#kit/csv.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import { readDetail, type DetailParts } from './detail.ts'
import { orderOf } from './present.ts'
import { idOfNumber, orderCsvRow, orderCsvTitles, readCursor, writeCursor, type OrderCursor } from './rules.ts'
import { countOrders, selectOrders, type OrderSearch } from './store.ts'

type Parts = DetailParts & { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit }

/** The orders of the scope: found by any combination of conditions, explained one by one, taken out as a file. */
export function createOrderHandlers(parts: Parts): Handlers<typeof orderEndpoints> {
  const { kit, riders } = parts
  const searchOf = async ({ scope }: SessionCall, filter: OrderFilter) => {
    const { phone, riderId, number } = filter
    const own = riderId === undefined ? undefined : [riderId]
    const named = phone === undefined ? undefined : await riders.idsByPhone(scope, phone)
    const riderIds = own === undefined || named === undefined ? (own ?? named) : own.filter((id) => named.includes(id))
    return { filter, riderIds, orderId: number === undefined ? undefined : idOfNumber(number), scope }
  }
  type Known = Awaited<ReturnType<typeof searchOf>>
  const page = async (search: Known, after: OrderCursor | null, limit: number) => {
    // One more than is shown: whether there is a next page.
    const asked: OrderSearch = { ...search, after, limit: limit + 1 }
    const rows = await kit.db.read(search.scope, (k) => selectOrders(asked).compile(k))
    const shown: Order[] = rows.slice(0, limit).map((row) => orderOf(row, riders))
    const last = rows.length > limit ? shown.at(-1) : undefined
    const { number } = search.filter
    const list = number === undefined ? shown : shown.filter((order) => order.number === number)
    return { list, nextCursor: last === undefined ? null : writeCursor(last) }
  }
  return {
    searchOrders: async ({ filter, cursor, pageSize }, call) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const search = await searchOf(call, filter)
      const [found, counted] = await Promise.all([
        page(search, after, pageSize),
        after === null ? kit.db.read(call.scope, (k) => countOrders(search).compile(k)) : null,
      ])
      const total = counted === null ? null : (counted[0]?.count ?? 0)
      const isCountCut = total !== null && total > orderCountMax
      return { suc: true, data: { ...found, count: isCountCut ? orderCountMax : total, isCountCut } }
    },

    riderOrders: async ({ phone, riderId, cursor, pageSize }, call) => {
      const search = await searchOf(call, { phone, riderId })
      return { suc: true, data: await page(search, cursor === undefined ? null : readCursor(cursor), pageSize) }
    },

    orderDetail: async ({ id }, call) => ({ suc: true, data: await readDetail(parts, call, id) }),

    exportOrders: async ({ filter, cursor, exportId: given }, call) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const exportId = given ?? randomUuid(kit.random)
      const { list, nextCursor } = await page(await searchOf(call, filter), after, orderExportPartRows)
      // The phone number is in nobody's log.
      const { phone, ...others } = filter
      const detail = { filter: others, byPhone: phone !== undefined }
      await parts.audit.noteExport(call, { exportId, action: 'order.export', detail, isFirst: after === null })
      const atMs = kit.clock.now()
      const origin = { exportId, operatorName: call.caller.name }
      const fileName = `orders-${businessTime(atMs).slice(0, 10)}-${exportId.slice(0, 8)}.csv`
      const text = csvPart({ origin, titles: orderCsvTitles, isFirst: after === null, lines: list.map(orderCsvRow) })
      return { suc: true, data: { exportId, fileName, text, rows: list.length, nextCursor } }
    },
  }
}
