import { sql } from 'kysely'
import { statementPeriods, usualStatementPeriod } from '@saddle/contract/finance/splitRules.ts'
import { addDays } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { tell } from '#notices/public.ts'
import { spanOf, statementFile, totalsOf, type StatementContent } from './statementRules.ts'

/** Statements that one run seals of a company. */
const sealedAtATime = 48

const cursorRow = rowOf('split_cursor', 'c', ['open_day'])
const lastRow = rowOf('split_statement', 's', ['last_day', 'hash'])
const firstRow = rowOfValues({ day: computed('date?', sql`min(b.day)`) })
const billRow = rowsOf(
  rowOf('split_bill', 'b', [
    'id',
    'day',
    'area_id',
    'lines',
    'paid_cents',
    'fee_cents',
    'platform_borne_cents',
    'partner_borne_cents',
    'owner_cents',
    'parties',
    'hash',
  ]).json<{ parties: { partyId: number; name: string; cents: number }[] }>(),
  rowOf('service_area', 'r', ['name as area_name']).optional(),
)
const correctionRow = rowsOf(
  rowOf('split_line', 'l', ['day', 'entry_number', 'paid_cents']),
  rowOfValues({ bill_id: computed('bigint', sql`substr(e.reference, 6)`) }),
)
const companyRow = rowOf('agent', 'a', ['company'])
const periodRow = rowOf('split_statement_period', 'p', ['period']).codes({ period: statementPeriods })

type Span = { readonly agentId: number; readonly firstDay: string; readonly lastDay: string }

/** The bills and corrections of a span of closed days. They are never changed, so the content is the same at any time. */
async function contentOf(
  tx: Tx,
  { agentId, firstDay, lastDay }: Span,
): Promise<Pick<StatementContent, 'bills' | 'corrections'>> {
  const bills = await billRow.select`
    from split_bill b left join service_area r on r.id = b.area_id
    where b.agent_id = ${agentId} and b.day between ${firstDay} and ${lastDay}
    order by b.day, b.id`.execute(tx)
  const corrections = await correctionRow.select`
    from split_line l join ledger_entry e on e.agent_id = l.agent_id and e.number = l.entry_number
    where l.agent_id = ${agentId} and l.day between ${firstDay} and ${lastDay} and l.kind = 'adjustment'
      and e.reference like 'bill:%'
    order by l.day, l.entry_number`.execute(tx)
  return {
    bills: bills.rows.map((row) => ({
      id: row.id,
      day: row.day,
      areaId: row.area_id,
      areaName: row.area_name,
      lines: row.lines,
      paidCents: row.paid_cents,
      feeCents: row.fee_cents,
      platformBorneCents: row.platform_borne_cents,
      partnerBorneCents: row.partner_borne_cents,
      parties: row.parties,
      ownerCents: row.owner_cents,
      hash: row.hash.toString('hex'),
    })),
    corrections: corrections.rows.map((row) => ({
      day: row.day,
      entryNumber: row.entry_number,
      billId: row.bill_id,
      cents: row.paid_cents,
    })),
  }
}

/**
 * Seals every span of a company whose days are all closed. A period that was set in the middle of another one begins where the
 * last statement ends, so that no day is in two or in none. Resolves to the number of statements.
 */
export async function sealStatements(
  tx: Tx,
  { agentId, at }: { readonly agentId: number; readonly at: number },
): Promise<number> {
  const { rows: cursors } = await cursorRow.select`
    from split_cursor c where c.agent_id = ${agentId} for update`.execute(tx)
  const openDay = cursors[0]?.open_day
  if (openDay === undefined) return 0
  const { rows: last } = await lastRow.select`
    from split_statement s where s.agent_id = ${agentId} order by s.first_day desc limit 1`.execute(tx)
  const { rows: first } = await firstRow.select`from split_bill b where b.agent_id = ${agentId}`.execute(tx)
  const firstDay = first[0]?.day ?? null
  let previousHash = last[0]?.hash.toString('hex') ?? null
  let from = last[0] === undefined ? firstDay : addDays(last[0].last_day, 1)
  const { rows: companies } = await companyRow.select`from agent a where a.id = ${agentId}`.execute(tx)
  const company = companies[0]?.company ?? ''
  const { rows: periods } = await periodRow.select`
    from split_statement_period p where p.agent_id = ${agentId} order by p.id desc limit 1`.execute(tx)
  const period = periods[0]?.period ?? usualStatementPeriod
  for (let sealed = 0; sealed < sealedAtATime; sealed += 1) {
    if (from === null) return sealed
    const whole = spanOf(from, period)
    const span = { agentId, firstDay: previousHash === null ? whole.firstDay : from, lastDay: whole.lastDay }
    if (span.lastDay >= openDay) return sealed
    const content = await contentOf(tx, span)
    const { hash } = statementFile({ ...span, ...content, company, previousHash })
    const totals = totalsOf(content)
    await tx
      .insertInto('split_statement')
      .values({
        agent_id: agentId,
        first_day: span.firstDay,
        last_day: span.lastDay,
        company,
        area_names: JSON.stringify(
          Object.fromEntries(
            content.bills.flatMap(({ areaId, areaName }) => (areaId === null ? [] : [[areaId, areaName]])),
          ),
        ),
        bills: totals.bills,
        lines: totals.lines,
        paid_cents: totals.paidCents,
        fee_cents: totals.feeCents,
        borne_cents: totals.borneCents,
        parties_cents: totals.partiesCents,
        owner_cents: totals.ownerCents,
        corrections_cents: totals.correctionsCents,
        sealed_at: new Date(at),
        hash: Buffer.from(hash, 'hex'),
        previous_hash: previousHash === null ? null : Buffer.from(previousHash, 'hex'),
      })
      .execute()
    await tell(tx, {
      event: 'statement_sealed',
      agentId,
      subject: `statement ${span.firstDay}`,
      values: { from: span.firstDay, to: span.lastDay, cents: totals.ownerCents },
      path: '/financial/SplitBill',
      at: new Date(at),
    })
    previousHash = hash
    from = addDays(span.lastDay, 1)
  }
  return sealedAtATime
}

const sealedRow = rowOf('split_statement', 's', [
  'id',
  'agent_id',
  'first_day',
  'last_day',
  'company',
  'area_names',
  'hash',
  'previous_hash',
]).json<{ area_names: Record<string, string | null> }>()

/** The file of a sealed statement, made again from its bills; null where the scope has no such statement. */
export async function readStatementFile(
  tx: Tx,
  { id, agentIds }: { readonly id: number; readonly agentIds: readonly number[] },
): Promise<{
  readonly agentId: number
  readonly lastDay: string
  readonly text: string
  readonly hash: string
} | null> {
  const { rows } = await sealedRow.select`
    from split_statement s where s.id = ${id} and s.agent_id = any (${agentIds}::bigint[])`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  const span = { agentId: row.agent_id, firstDay: row.first_day, lastDay: row.last_day }
  const { bills, corrections } = await contentOf(tx, span)
  const names = row.area_names
  const { text, hash } = statementFile({
    ...span,
    company: row.company,
    bills: bills.map((bill) =>
      Object.assign(bill, { areaName: bill.areaId === null ? null : (names[bill.areaId] ?? null) }),
    ),
    corrections,
    previousHash: row.previous_hash?.toString('hex') ?? null,
  })
  if (hash !== row.hash.toString('hex')) throw new Error(`statement ${id} has another hash than when it was sealed`)
  return { agentId: row.agent_id, lastDay: row.last_day, text, hash }
}
