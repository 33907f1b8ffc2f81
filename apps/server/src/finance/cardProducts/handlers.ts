import { defaultAgentId } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  cardProductFields,
  cardProductList,
  type CardProduct,
  type CardProductFilter,
  type cardProductEndpoints,
} from '@saddle/contract/finance/cardProducts.ts'
import type { CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import { listSumMax } from '@saddle/contract/list.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf } from '#kit/db/rows.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import type { MoneyDeps } from '../deps.ts'
import { everyDay, figuresRow, selectFigures, selectSoldDays } from './figures.ts'
import { newOrder } from './rules.ts'
import {
  insertProduct,
  lockProduct,
  presentVersion,
  productOf,
  selectProducts,
  selectVersions,
  updateProduct,
  type ProductRow,
} from './store.ts'

type Deps = Pick<MoneyDeps, 'kit' | 'audit'>
type All = Handlers<typeof cardProductEndpoints>

/** The mall: what is on sale, in which order, and what it has sold. */
export function createCardProductHandlers(deps: Deps): All {
  return { ...createListing(deps), ...createChanges(deps), ...createSwitches(deps), ...createReadings(deps) }
}

function matches(product: CardProduct, { shelf, kinds, name, areaId, id }: CardProductFilter): boolean {
  const { areaIds } = product.terms
  return (
    (shelf === undefined || shelf.includes(product.shelf)) &&
    (kinds === undefined || kinds.includes(product.kind)) &&
    (name === undefined || product.name.toLowerCase().includes(name.toLowerCase())) &&
    (areaId === undefined || areaIds.length === 0 || areaIds.includes(areaId)) &&
    (id === undefined || product.id === id)
  )
}

function createListing(deps: Deps): Pick<All, 'listCardProducts' | 'sumCardProducts' | 'exportCardProducts'> {
  const { kit } = deps
  const all = async (filter: CardProductFilter, { scope }: SessionCall): Promise<CardProduct[]> => {
    const now = kit.clock.now()
    const rows = await kit.db.read(scope, (k) => selectProducts(scope).compile(k))
    return rows.map((row) => productOf(row, now)).filter((product) => matches(product, filter))
  }
  const list = serveComputedList(deps, cardProductList, {
    name: 'card-products',
    all,
    sorted: (rows, sort, direction) => {
      const keyOf = {
        shelf: () => 0,
        sold: (row: CardProduct) => row.soldCards,
        sales: (row: CardProduct) => row.salesCents,
      }
      const sign = direction === 'asc' ? 1 : -1
      // The rows come in the order of the shelf.
      return sort === 'shelf'
        ? sign > 0
          ? rows
          : rows.toReversed()
        : (rows as readonly CardProduct[]).toSorted((a, b) => sign * (keyOf[sort](a) - keyOf[sort](b)))
    },
    file: { action: 'card.export', fields: cardProductFields },
  })
  return {
    listCardProducts: list.page,
    exportCardProducts: list.file,
    sumCardProducts: async ({ filter }, call) => {
      const rows = await all(filter, call)
      const sum = (key: 'salesCents' | 'refundedCents'): number => rows.reduce((total, row) => total + row[key], 0)
      const sums = { salesCents: sum('salesCents'), refundedCents: sum('refundedCents') }
      return { suc: true, data: { rows: rows.length, isCut: rows.length > listSumMax, sums } }
    },
  }
}

const recordOf = ({ agentId, id }: { agentId: number; id: number }) =>
  ({ agentId, subjectKind: 'card_product', subjectId: id }) as const

/** Throws foreign_scope for areas that are not the company's. */
async function checkAreas(tx: Tx, agentId: number, { areaIds }: CardTerms): Promise<void> {
  const ids = [...new Set(areaIds)]
  if (ids.length === 0) return
  const { rows } = await countRow.select`
    from service_area where agent_id = ${agentId} and id = any (${ids}::bigint[])`.execute(tx)
  if (rows[0]?.count !== ids.length) throw new AppError('foreign_scope')
}

async function withName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isTaken(error)) throw new AppError('name_taken', { cause: error })
    throw error
  }
}

function createChanges({ kit, audit }: Deps): Pick<All, 'createCardProduct' | 'changeCardProduct'> {
  const byOf = ({ caller }: SessionCall) => ({
    id: caller.operatorId,
    name: caller.name,
    at: new Date(kit.clock.now()),
  })
  return {
    createCardProduct: async ({ agentId, terms, isDraft }, call) => {
      if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
      return withName(() =>
        kit.db.withScope(call.scope, async (tx) => {
          await checkAreas(tx, agentId, terms)
          const state = isDraft ? 'draft' : 'on'
          const id = await insertProduct(tx, { agentId, terms, state, by: byOf(call) })
          await audit.act(tx, call, { ...recordOf({ agentId, id }), action: 'card.create', after: { terms, state } })
          return { suc: true as const, data: { id, version: 1 } }
        }),
      )
    },

    changeCardProduct: async ({ id, version, terms }, call) =>
      withName(() =>
        kit.db.withScope(call.scope, async (tx) => {
          const row = await lockProduct(tx, { scope: call.scope, id })
          if (row.version !== version) throw new AppError('conflict')
          // Its kind is part of what was sold under this name.
          if (row.kind !== terms.kind) throw new AppError('conflict')
          if (row.state === 'ended') throw new AppError('card_ended')
          if (terms.stock !== null && terms.stock < row.sold) {
            throw new AppError('card_below_sold', { values: { sold: row.sold } })
          }
          await checkAreas(tx, row.agent_id, terms)
          const [before] = (await selectVersions({ id, scope: call.scope }).execute(tx)).rows
          const data = await updateProduct(tx, { row, terms, by: byOf(call) })
          const record = { ...recordOf({ agentId: row.agent_id, id }), action: 'card.change' }
          await audit.act(tx, call, { ...record, before: { terms: before?.terms }, after: { terms } })
          return { suc: true as const, data }
        }),
      ),
  }
}

const placeRow = rowOf('card_product', 'p', ['id'])

function createSwitches({ kit, audit }: Deps): Pick<All, 'switchCardProduct' | 'orderCardProducts'> {
  return {
    switchCardProduct: async ({ id, state }, call) => {
      await kit.db.withScope(call.scope, async (tx) => {
        const row: ProductRow = await lockProduct(tx, { scope: call.scope, id })
        if (row.state === state) return
        if (row.state === 'ended') throw new AppError('card_ended')
        await tx.updateTable('card_product').set({ state }).where('id', '=', id).execute()
        const action = ({ on: 'card.on', paused: 'card.pause', ended: 'card.end' } as const)[state]
        await audit.act(tx, call, { ...recordOf({ agentId: row.agent_id, id }), action })
      })
      return { suc: true, data: { id, state } }
    },

    orderCardProducts: async ({ agentId, ids }, call) => {
      if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
      const ordered = await kit.db.withScope(call.scope, async (tx) => {
        // By id, so that two orders at once do not wait for each other in a circle.
        const { rows } = await placeRow.select`
          from (select id, place from card_product where agent_id = ${agentId} order by id for no key update) p
          order by p.place, p.id`.execute(tx)
        const present = rows.map((row) => row.id)
        if (ids.some((id) => !present.includes(id))) throw new AppError('not_found')
        const places = newOrder(present, ids)
        for (const { id, place } of places) {
          await tx.updateTable('card_product').set({ place }).where('id', '=', id).execute()
        }
        await audit.act(tx, call, {
          ...recordOf({ agentId, id: ids[0] ?? defaultAgentId }),
          action: 'card.order',
          before: { ids: present },
          after: { ids: places.map(({ id }) => id) },
        })
        return places.map(({ id }) => id)
      })
      return { suc: true, data: { ids: ordered } }
    },
  }
}

function createReadings({ kit }: Deps): Pick<All, 'cardProductVersions' | 'cardProductFigures'> {
  return {
    cardProductVersions: async ({ id }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectVersions({ id, scope }).compile(k))
      if (rows.length === 0) throw new AppError('not_found')
      return { suc: true, data: { list: rows.map(presentVersion) } }
    },

    cardProductFigures: async ({ id }, { scope }) => {
      const nowMs = kit.clock.now()
      const [known, [figures], days] = await Promise.all([
        kit.db.read(scope, (k) => selectVersions({ id, scope }).compile(k)),
        kit.db.read(scope, (k) => selectFigures({ id, scope }).compile(k)),
        kit.db.read(scope, (k) => selectSoldDays({ id, scope, nowMs }).compile(k)),
      ])
      if (known.length === 0 || figures === undefined) throw new AppError('not_found')
      return { suc: true, data: { ...figuresRow.present(figures), days: everyDay(days, nowMs) } }
    },
  }
}
