import { soldCardFields, soldCardList, type cardEndpoints } from '@saddle/contract/finance/cards.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { MoneyDeps } from '../deps.ts'
import { riderInScope, ridersOf } from '../wallet/who.ts'
import { readCards } from './cards.ts'
import { refundCard } from './refund.ts'
import { soldCardOf, soldRows } from './sold.ts'

/** Cards of riders. */
export function createCardHandlers(parts: MoneyDeps): Handlers<typeof cardEndpoints> {
  const { kit, riders } = parts
  const sold = serveList(parts, soldCardList, {
    name: 'sold-cards',
    prepare: async (filter, { scope }) => ({ riderIds: await ridersOf(riders, scope, filter) }),
    rows: soldRows,
    present: (row) => soldCardOf(row, { riders, today: businessDayOf(kit.clock.now()) }),
    file: { action: 'card.export', fields: soldCardFields },
  })
  return {
    listSoldCards: sold.page,
    sumSoldCards: sold.sums,
    exportSoldCards: sold.file,

    myCards: async ({ riderId }, { scope }) => {
      const who = await riderInScope(parts, scope, riderId)
      return { suc: true, data: { list: await readCards(parts, who) } }
    },

    refundCard: async (asked, call) => ({ suc: true, data: await refundCard(parts, call, asked) }),
  }
}
