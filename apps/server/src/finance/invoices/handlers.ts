import { sql } from 'kysely'
import {
  invoiceFields,
  invoiceList,
  invoiceRevealsPerHour,
  type invoiceEndpoints,
  type InvoiceState,
} from '@saddle/contract/finance/invoices.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { each } from '#kit/each.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow } from '#kit/db/rows.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { InvoiceParts } from './parts.ts'
import { coveredOf, invoiceOf, wholeOf } from './read.ts'
import { checkCovered, itemKey } from './rules.ts'
import {
  changeInvoice,
  invoiceRows,
  lockInvoice,
  presentItem,
  selectInvoice,
  selectItems,
  type InvoiceRow,
} from './store.ts'

type All = Handlers<typeof invoiceEndpoints>
type Reading = 'listInvoices' | 'sumInvoices' | 'invoiceItems' | 'invoiceFile' | 'revealInvoice' | 'exportInvoices'

/** Invoices as seen by the people who issue them. */
export function createInvoiceHandlers(parts: InvoiceParts): All {
  return { ...createReading(parts), ...createDeciding(parts) }
}

function createReading(parts: InvoiceParts): Pick<All, Reading> {
  const { kit, photos, riders } = parts
  const list = serveList(parts, invoiceList, {
    name: 'invoices',
    prepare: async ({ phone }, { scope }) => ({
      riderIds: phone === undefined ? undefined : await riders.idsByPhone(scope, phone),
    }),
    rows: invoiceRows,
    present: (row) => invoiceOf(parts, row),
    file: { action: 'invoice.export', fields: invoiceFields, present: (row) => wholeOf(parts, row) },
  })
  const find = async ({ scope }: SessionCall, id: number): Promise<InvoiceRow> => {
    const [row] = await kit.db.read(scope, (k) => selectInvoice({ id, scope }).compile(k))
    if (row === undefined) throw new AppError('not_found')
    return row
  }
  return {
    listInvoices: list.page,
    sumInvoices: list.sums,
    exportInvoices: list.file,

    invoiceItems: async ({ id }, call) => {
      const { agent_id: agentId } = await find(call, id)
      const { scope } = call
      const items = (await kit.db.read(scope, (k) => selectItems({ id, scope }).compile(k))).map(presentItem)
      const covered = await coveredOf(parts, { agentId, items })
      const list = items.map((item) => Object.assign(item, { coveredCents: covered.get(itemKey(item)) ?? 0 }))
      return { suc: true, data: { list } }
    },

    invoiceFile: async ({ id }, call) => {
      const { photo_ids: ids } = await find(call, id)
      return { suc: true, data: { list: await photos.read(call.scope, { purpose: 'invoice', ids }) } }
    },

    revealInvoice: async ({ id }, call) => {
      const row = await find(call, id)
      await kit.db.withScope(call.scope, async (tx) => {
        await checkReveals(parts, tx, call, row)
        await note(parts, tx, call, { row, action: 'reveal' })
      })
      const { title, taxNumber, email } = wholeOf(parts, row)
      return { suc: true, data: { title, taxNumber, email } }
    },
  }
}

type Decision = {
  readonly id: number
  readonly from: InvoiceState
  readonly action: 'issue' | 'refuse' | 'restore' | 'flush'
  readonly change: (
    tx: Tx,
    row: InvoiceRow,
  ) => Promise<Omit<Parameters<typeof changeInvoice>[2], 'decided_at' | 'decided_by'>>
  readonly taken: 'invoice_number_taken' | 'invoice_items_taken'
  /** Whether the decision requires that the invoice's items are still paid. */
  readonly mustBePaid: boolean
}

function createDeciding(parts: InvoiceParts): Pick<All, Exclude<keyof All, Reading>> {
  const { kit, photos } = parts
  /** One decision about one invoice of the scope, with its line in the log. */
  const decide = async (call: SessionCall, decision: Decision): Promise<void> => {
    const { id, from, action, taken } = decision
    const { scope, caller } = call
    if (decision.mustBePaid) await checkPaid(parts, call, id)
    try {
      await kit.db.withScope(scope, async (tx) => {
        const row = await lockInvoice(tx, { id, scope })
        if (row === undefined) throw new AppError('not_found')
        if (row.state !== from) throw new AppError('invoice_decided')
        const changes = await decision.change(tx, row)
        const isOpen = changes.state === 'requested'
        const by = { decided_at: isOpen ? null : new Date(kit.clock.now()), decided_by: isOpen ? null : caller.name }
        await changeInvoice(tx, id, { ...changes, ...by })
        const { number, red_number: redNumber, reason } = changes
        await note(parts, tx, call, { row, action, after: { cents: row.cents, number, redNumber, reason } })
      })
    } catch (error) {
      if (isTaken(error)) throw new AppError(taken, { cause: error })
      throw error
    }
  }
  return {
    issueInvoices: async ({ invoices, file }, call) => {
      const [first] = invoices
      const named = new Map(invoices.map((invoice) => [invoice.id, invoice]))
      const answer = await each([...named.keys()], (id) =>
        decide(call, {
          id,
          from: 'requested',
          action: 'issue',
          taken: 'invoice_number_taken',
          mustBePaid: true,
          change: async (tx, row) => {
            const own = { agentId: row.agent_id, areaId: null, purpose: 'invoice' } as const
            const photoIds = file !== undefined && id === first?.id ? [await photos.keep(tx, { ...own, file })] : []
            const { number = '', link = null } = named.get(id) ?? {}
            return { state: 'issued', number, link, photo_ids: photoIds, reason: '' }
          },
        }),
      )
      return { suc: true, data: answer }
    },

    refuseInvoices: async ({ ids, reason }, call) => ({
      suc: true,
      data: await each(ids, (id) =>
        decide(call, {
          id,
          from: 'requested',
          action: 'refuse',
          taken: 'invoice_items_taken',
          mustBePaid: false,
          change: async () => ({ state: 'refused', reason }),
        }),
      ),
    }),

    restoreInvoices: async ({ ids }, call) => ({
      suc: true,
      data: await each(ids, (id) =>
        decide(call, {
          id,
          from: 'refused',
          action: 'restore',
          taken: 'invoice_items_taken',
          mustBePaid: true,
          change: async () => ({ state: 'requested', reason: '' }),
        }),
      ),
    }),

    flushInvoice: async ({ id, redNumber, reason }, call) => {
      await decide(call, {
        id,
        from: 'issued',
        action: 'flush',
        taken: 'invoice_number_taken',
        mustBePaid: false,
        change: async () => ({ state: 'red_flushed', red_number: redNumber, reason }),
      })
      const { scope } = call
      const [row] = await kit.db.read(scope, (k) => selectInvoice({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: invoiceOf(parts, row) }
    },
  }
}

/** Throws not_found, and invoice_above_paid where money went back since it was asked for. */
async function checkPaid(parts: InvoiceParts, { scope }: SessionCall, id: number): Promise<void> {
  const { db } = parts.kit
  const [row] = await db.read(scope, (k) => selectInvoice({ id, scope }).compile(k))
  if (row === undefined) throw new AppError('not_found')
  const items = (await db.read(scope, (k) => selectItems({ id, scope }).compile(k))).map(presentItem)
  checkCovered(items, await coveredOf(parts, { agentId: row.agent_id, items }))
}

/** Throws when the person has been shown as many of this company's in the hour as one person may. */
async function checkReveals({ kit }: InvoiceParts, tx: Tx, { caller }: SessionCall, row: InvoiceRow): Promise<void> {
  // The person's other requests wait, so that two of them cannot both use the last free slot.
  await sql`select pg_advisory_xact_lock(hashtextextended('invoice_reveal', ${caller.operatorId}))`.execute(tx)
  const { rows } = await countRow.select`
    from audit_record l
    where l.agent_id = ${row.agent_id} and l.operator_id = ${caller.operatorId} and l.action = 'invoice.reveal'
      and l.at > ${new Date(kit.clock.now() - hourMs)}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= invoiceRevealsPerHour) throw new AppError('too_many_requests')
}

async function note(
  { audit }: InvoiceParts,
  tx: Tx,
  call: SessionCall,
  line: { row: InvoiceRow; action: Decision['action'] | 'reveal'; after?: Readonly<Record<string, unknown>> },
): Promise<void> {
  const { row, action, after = {} } = line
  await audit.act(tx, call, {
    agentId: row.agent_id,
    action: `invoice.${action}`,
    subjectKind: 'invoice',
    subjectId: row.id,
    after,
  })
}
