import type { OwnInvoice, riderInvoiceEndpoints } from '@saddle/contract/finance/invoices.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { AppCall, Handlers } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { InvoiceParts } from './parts.ts'
import { invoiceablesOf, sealOf, wholeOf } from './read.ts'
import { itemKey } from './rules.ts'
import { changeInvoice, insertInvoice, lockInvoice, selectInvoice, type InvoiceRow, type NewItem } from './store.ts'

const ownMax = 50

const whoRow = rowOf('rider', ['agent_id as agentId', 'id as riderId'])
type Who = RowOf<typeof whoRow>

const invoiceRow = rowOf('invoice', ['id'])

/** Invoices as the riders' applications see them: a rider's own, in full. */
export function createRiderInvoiceHandlers(parts: InvoiceParts): Handlers<typeof riderInvoiceEndpoints> {
  const { kit } = parts
  const readOwn = async (call: AppCall, id: number): Promise<OwnInvoice> => {
    const scope = { agentIds: call.app.agentIds }
    const [row] = await kit.db.systemRead((k) => selectInvoice({ id, scope }).compile(k))
    if (row === undefined) throw new AppError('not_found')
    return ownOf(parts, row)
  }
  return {
    riderInvoiceables: async ({ phone }, call) => {
      const list: NewItem[] = []
      for (const who of await whoAre(parts, call, phone)) list.push(...(await invoiceablesOf(parts, who)))
      return { suc: true, data: { list: list.toSorted((a, b) => b.at - a.at) } }
    },

    riderAskInvoice: async ({ phone, items, titleKind, title, taxNumber, email }, call) => {
      const { who, chosen } = await chosenItems(parts, call, { phone, items })
      const seal = sealOf(parts, who.riderId)
      try {
        const id = await kit.db.system((tx) =>
          insertInvoice(tx, {
            ...who,
            titleKind,
            titleSealed: seal(title),
            taxNumberSealed: taxNumber === undefined ? null : seal(taxNumber),
            emailSealed: seal(email),
            at: new Date(kit.clock.now()),
            items: chosen,
          }),
        )
        return { suc: true, data: await readOwn(call, id) }
      } catch (error) {
        if (isTaken(error)) throw new AppError('invoice_items_taken', { cause: error })
        throw error
      }
    },

    riderInvoices: async ({ phone }, call) => {
      const ids = (await whoAre(parts, call, phone)).map(({ riderId }) => riderId)
      const rows = await kit.db.systemRead((k) =>
        invoiceRow.select`
          from invoice where rider_id = any (${ids}::bigint[])
          order by requested_at desc, id desc limit ${ownMax}`.compile(k),
      )
      return { suc: true, data: { list: await Promise.all(rows.map(({ id }) => readOwn(call, id))) } }
    },

    riderCancelInvoice: async ({ phone, id }, call) => {
      await kit.db.system(async (tx) => {
        const row = await lockInvoice(tx, { id, scope: { agentIds: call.app.agentIds } })
        if (row === undefined || !parts.riders.hasPhone(row, phone)) throw new AppError('not_found')
        if (row.state === 'cancelled') return
        if (row.state !== 'requested') throw new AppError('invoice_decided')
        const at = new Date(kit.clock.now())
        await changeInvoice(tx, id, { state: 'cancelled', decided_at: at, decided_by: null })
      })
      return { suc: true, data: await readOwn(call, id) }
    },
  }
}

function ownOf(parts: InvoiceParts, row: InvoiceRow): OwnInvoice {
  const { id, state, titleKind, title, cents, itemCount, requestedAt, reason, number, link } = wholeOf(parts, row)
  return { id, state, titleKind, title, cents, itemCount, requestedAt, reason, number, link }
}

/** The rider with each franchisee of the application. */
async function whoAre({ kit, riders }: InvoiceParts, { app }: AppCall, phone: string): Promise<Who[]> {
  const ids = await riders.idsByPhone(scopeOfAgent(app.agentIds), phone)
  return kit.db.systemRead((k) => whoRow.select`from rider where id = any (${ids}::bigint[]) order by id`.compile(k))
}

/** What was chosen, of one franchisee. Throws invoice_items_taken for what cannot be asked for, or not any more. */
async function chosenItems(
  parts: InvoiceParts,
  call: AppCall,
  asked: { phone: string; items: readonly { kind: 'order' | 'recharge'; id: number }[] },
): Promise<{ who: Who; chosen: NewItem[] }> {
  const wanted = new Set(asked.items.map(({ kind, id }) => itemKey({ kind, subjectId: id })))
  for (const who of await whoAre(parts, call, asked.phone)) {
    const chosen = (await invoiceablesOf(parts, who)).filter((item) => wanted.has(itemKey(item)))
    if (chosen.length === 0) continue
    if (chosen.length < wanted.size) throw new AppError('invoice_items_taken')
    return { who, chosen }
  }
  throw new AppError('invoice_items_taken')
}
