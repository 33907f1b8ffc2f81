import { sql } from 'kysely'
import {
  invoiceCountMax,
  invoiceExportPartRows,
  invoiceRevealsPerHour,
  type invoiceEndpoints,
  type InvoiceFilter,
  type InvoiceState,
} from '@saddle/contract/finance/invoices.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime, csvPart } from '#kit/csv.ts'
import { isTaken } from '#kit/db/faults.ts'
import type { Tx } from '#kit/db/pool.ts'
import { randomUuid } from '#kit/random.ts'
import type { InvoiceParts } from './parts.ts'
import { coveredOf, invoiceOf, itemOf, wholeOf } from './read.ts'
import {
  checkCovered,
  invoiceCsvRow,
  invoiceCsvTitles,
  itemKey,
  readCursor,
  writeCursor,
  type InvoiceCursor,
} from './rules.ts'
import {
  changeInvoice,
  countInvoices,
  countWaiting,
  lockInvoice,
  selectInvoice,
  selectInvoices,
  selectItems,
  type InvoiceRow,
  type InvoiceSearch,
} from './store.ts'

type All = Handlers<typeof invoiceEndpoints>
type Reading = 'listInvoices' | 'invoiceItems' | 'invoiceFile' | 'revealInvoice' | 'exportInvoices'

/** Invoices as those who write them see them. */
export function createInvoiceHandlers(parts: InvoiceParts): All {
  return { ...createReading(parts), ...createDeciding(parts) }
}

function createReading(parts: InvoiceParts): Pick<All, Reading> {
  const { kit, photos } = parts
  const find = async ({ scope }: SessionCall, id: number): Promise<InvoiceRow> => {
    const [row] = await kit.db.read(scope, (k) => selectInvoice({ id, scope }).compile(k))
    if (row === undefined) throw new AppError('not_found')
    return row
  }
  return {
    listInvoices: async ({ filter, cursor, pageSize }, call) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const search = await searchOf(parts, call, filter)
      const [{ rows, nextCursor }, total, waiting] = await Promise.all([
        readPage(parts, { search, after, limit: pageSize }),
        after === null ? kit.db.read(call.scope, (k) => countInvoices(search).compile(k)) : null,
        after === null ? kit.db.read(call.scope, (k) => countWaiting(call.scope).compile(k)) : null,
      ])
      const count = total === null ? null : (total[0]?.count ?? 0)
      const isCountCut = count !== null && count > invoiceCountMax
      const [sums] = waiting ?? []
      const counters = sums === undefined ? null : { requested: sums.requested, requestedCents: sums.cents }
      const list = rows.map((row) => invoiceOf(parts, row))
      return {
        suc: true,
        data: { list, nextCursor, count: isCountCut ? invoiceCountMax : count, isCountCut, counters },
      }
    },

    invoiceItems: async ({ id }, call) => {
      const { agent_id: agentId } = await find(call, id)
      const { scope } = call
      const items = (await kit.db.read(scope, (k) => selectItems({ id, scope }).compile(k))).map(itemOf)
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

    exportInvoices: async ({ filter, cursor, exportId: given }, call) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const exportId = given ?? randomUuid(kit.random)
      const search = await searchOf(parts, call, filter)
      const { rows, nextCursor } = await readPage(parts, { search, after, limit: invoiceExportPartRows })
      // The phone number is in nobody's log.
      const { phone, ...others } = filter
      const detail = { filter: others, byPhone: phone !== undefined }
      await parts.audit.noteExport(call, { exportId, action: 'invoice.export', detail, isFirst: after === null })
      const atMs = kit.clock.now()
      const origin = { exportId, operatorName: call.caller.name }
      const lines = rows.map((row) => invoiceCsvRow(wholeOf(parts, row)))
      const fileName = `invoices-${businessTime(atMs).slice(0, 10)}-${exportId.slice(0, 8)}.csv`
      const text = csvPart({ origin, titles: invoiceCsvTitles, isFirst: after === null, lines })
      return { suc: true, data: { exportId, fileName, text, rows: rows.length, nextCursor } }
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
  /** Whether what it is for must still be paid. */
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
      return each([...named.keys()], (id) =>
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
    },

    refuseInvoices: async ({ ids, reason }, call) =>
      each(ids, (id) =>
        decide(call, {
          id,
          from: 'requested',
          action: 'refuse',
          taken: 'invoice_items_taken',
          mustBePaid: false,
          change: async () => ({ state: 'refused', reason }),
        }),
      ),

    restoreInvoices: async ({ ids }, call) =>
      each(ids, (id) =>
        decide(call, {
          id,
          from: 'refused',
          action: 'restore',
          taken: 'invoice_items_taken',
          mustBePaid: true,
          change: async () => ({ state: 'requested', reason: '' }),
        }),
      ),

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
  const items = (await db.read(scope, (k) => selectItems({ id, scope }).compile(k))).map(itemOf)
  checkCovered(items, await coveredOf(parts, { agentId: row.agent_id, items }))
}

/** Does it to each; of one invoice alone the refusal is the answer. */
async function each(ids: readonly number[], work: (id: number) => Promise<void>) {
  const done: number[] = []
  const refused: { id: number; promot: string }[] = []
  for (const id of new Set(ids)) {
    try {
      await work(id)
      done.push(id)
    } catch (error) {
      if (!(error instanceof AppError) || ids.length === 1) throw error
      refused.push({ id, promot: error.message })
    }
  }
  return { suc: true as const, data: { done, refused } }
}

async function searchOf(
  { riders }: InvoiceParts,
  { scope }: SessionCall,
  filter: InvoiceFilter,
): Promise<InvoiceSearch> {
  const { phone } = filter
  return { scope, filter, riderIds: phone === undefined ? undefined : await riders.idsByPhone(scope, phone) }
}

async function readPage(
  { kit }: InvoiceParts,
  { search, after, limit }: { search: InvoiceSearch; after: InvoiceCursor | null; limit: number },
): Promise<{ rows: InvoiceRow[]; nextCursor: string | null }> {
  // One more than is shown: whether there is a next page.
  const asked = { ...search, after, limit: limit + 1 }
  const found = await kit.db.read(search.scope, (k) => selectInvoices(asked).compile(k))
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  const nextCursor = last === undefined ? null : writeCursor({ at: last.requested_at.getTime(), id: last.id })
  return { rows, nextCursor }
}

/** Throws when the person has been shown as many of this company's in the hour as one person may. */
async function checkReveals({ kit }: InvoiceParts, tx: Tx, { caller }: SessionCall, row: InvoiceRow): Promise<void> {
  // The person's other askings wait, so that two of them are not both the last one.
  await sql`select pg_advisory_xact_lock(hashtextextended('invoice_reveal', ${caller.operatorId}))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from audit_record l
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
  await audit.write(tx, {
    agentId: row.agent_id,
    operatorId: call.caller.operatorId,
    action: `invoice.${action}`,
    subjectKind: 'invoice',
    subjectId: row.id,
    after,
    address: call.address,
    requestId: call.requestId,
  })
}
