import type { CardProductInput, cardEndpoints } from '@saddle/contract/finance/cards.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { MoneyDeps } from '../deps.ts'
import { riderInScope } from '../wallet/who.ts'
import { readCards } from './cards.ts'
import { refundCard } from './refund.ts'
import { insertProduct, lockProduct, productOf, selectProducts, updateProduct } from './store.ts'

/** Cards of riders, and what is sold. */
export function createCardHandlers(parts: MoneyDeps): Handlers<typeof cardEndpoints> {
  const { kit, audit } = parts
  const write = (tx: Tx, call: SessionCall, agentId: number, id: number, action: string, after: CardProductInput) =>
    audit.act(tx, call, { agentId, action, subjectKind: 'card_product', subjectId: id, after })
  const save = async <T>(
    call: SessionCall,
    work: (tx: Tx, by: { name: string; at: Date }) => Promise<T>,
  ): Promise<T> => {
    try {
      const by = { name: call.caller.name, at: new Date(kit.clock.now()) }
      return await kit.db.withScope(call.scope, (tx) => work(tx, by))
    } catch (error) {
      if (isTaken(error)) throw new AppError('name_taken', { cause: error })
      throw error
    }
  }
  return {
    myCards: async ({ riderId }, { scope }) => {
      const who = await riderInScope(parts, scope, riderId)
      return { suc: true, data: { list: await readCards(parts, who) } }
    },

    refundCard: async (asked, call) => ({ suc: true, data: await refundCard(parts, call, asked) }),

    cardProducts: async (_, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectProducts(scope).compile(k))
      return { suc: true, data: { list: rows.map(productOf) } }
    },

    createCardProduct: async ({ agentId, product }, call) => {
      if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
      const id = await save(call, async (tx, by) => {
        const added = await insertProduct(tx, agentId, product, by)
        await write(tx, call, agentId, added, 'card.create', product)
        return added
      })
      return { suc: true, data: { id } }
    },

    changeCardProduct: async ({ id, version, product }, call) => {
      const changed = await save(call, async (tx, by) => {
        const known = await lockProduct(tx, { agentIds: call.scope.agentIds, id })
        if (known === undefined) throw new AppError('not_found')
        // Its kind is part of what was sold under this name.
        if (known.kind !== product.kind) throw new AppError('conflict')
        const row = await updateProduct(tx, { id, version, product, by })
        if (row === undefined) throw new AppError('conflict')
        await write(tx, call, known.agent_id, id, 'card.change', product)
        return row
      })
      return { suc: true, data: changed }
    },
  }
}
