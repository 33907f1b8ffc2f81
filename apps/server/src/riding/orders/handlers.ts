import { orderFields, orderList, type orderEndpoints } from '@saddle/contract/riding/orders.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import { readDetail, type DetailDeps } from './detail.ts'
import { orderOf } from './present.ts'
import { orderRows } from './store.ts'

type Deps = DetailDeps & { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit }

/** The orders of the scope: found by any combination of conditions, explained one by one, taken out as a file. */
export function createOrderHandlers(deps: Deps): Handlers<typeof orderEndpoints> {
  const { riders } = deps
  const list = serveList(deps, orderList, {
    name: 'orders',
    prepare: async (filter, { scope }) => ({ riderIds: await riders.idsOf(scope, filter) }),
    rows: orderRows,
    present: (row) => orderOf(row, riders),
    file: { action: 'order.export', fields: orderFields },
  })
  return {
    searchOrders: list.page,
    sumOrders: list.sums,
    exportOrders: list.file,

    riderOrders: list.page,
    exportRiderOrders: list.file,

    orderDetail: async ({ id }, call) => ({ suc: true, data: await readDetail(deps, call, id) }),
  }
}
