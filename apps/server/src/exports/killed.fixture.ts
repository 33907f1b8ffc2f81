import { orderEndpoints } from '@saddle/contract/riding/orders.ts'
import { createAudit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import { listFile } from '#kit/list/listFile.ts'
import { sessionCall } from '#test/kit.ts'
import { createExports } from './public.ts'

/** Rows of the file: several parts. */
export const killedRows = 60_000
const [code] = orderEndpoints.exportOrders.permission
export const killedClerk = sessionCall({
  operatorId: 7,
  agentId: 3,
  grant: { agentIds: [3], areaIds: [30] },
  permissions: [code],
})

/** The export centre with one list; `onRows` hears how many rows were read. */
export function killedExports(kit: Kit, onRows: (rows: number) => void) {
  const audit = createAudit(kit)
  const source = listFile<{ filter: object; sort: string }>(
    { kit, audit },
    {
      name: 'orders',
      action: 'order.export',
      fields: { number: '订单编号', cents: { title: '金额', as: 'cents' } },
      detail: () => ({}),
      check: async () => {},
      count: async () => killedRows,
      parts: async function* parts() {
        for (let from = 0; from < killedRows; from += 1_000) {
          onRows(from)
          yield Array.from({ length: 1_000 }, (_, n) => ({ number: `N${from + n}`, cents: from + n }))
        }
      },
    },
  )
  const exports = createExports({
    kit,
    audit,
    accessOf: async () => ({ caller: killedClerk.caller, grant: killedClerk.grant }),
  })
  const { exportOrders } = exports.serve({ exportOrders: source })
  return { exports, exportOrders }
}
