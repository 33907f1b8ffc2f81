import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { addDays } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { billSplit, type BillParts } from '../ledger/recipes.ts'
import { lockCursor, moveCursor } from './store.ts'

/** Lines of a day that are summed at a time. */
const linesAtATime = 20_000

const lineRow = rowsOf(
  rowOf('split_line', 'l', [
    'entry_number',
    'area_id',
    'order_id',
    'terms_id',
    'paid_cents',
    'fee_cents',
    'platform_borne_cents',
    'partner_borne_cents',
    'party_cents',
    'owner_cents',
  ]),
)
type Line = RowOf<typeof lineRow>

const partiesRow = rowsOf(
  rowOf('split_terms', 't', ['id']),
  rowOfValues({
    ids: computed(
      'bigint[]',
      sql`array(select (p ->> 'partyId')::bigint from jsonb_array_elements(t.terms -> 'parties') p)`,
    ),
    names: computed('text[]', sql`array(select p ->> 'name' from jsonb_array_elements(t.terms -> 'parties') p)`),
  }),
)

type Sum = Omit<BillParts, 'parties'> & {
  readonly lines: number
  readonly hash: Buffer
  readonly parties: Map<number, Party>
}
type Party = { readonly partyId: number; readonly name: string; readonly cents: number }

/**
 * Closes the open day of a company: makes a bill for each area from the lines of the day, posts it, and opens the next day.
 * A day that is closed already stays as it is. The entries of the day have to be divided before. Resolves to the number of
 * bills.
 */
export async function closeDay(
  { ledger }: { readonly ledger: Pick<Ledger, 'post'> },
  tx: Tx,
  { agentId, day, at }: { readonly agentId: number; readonly day: string; readonly at: number },
): Promise<number> {
  const cursor = await lockCursor(tx, agentId, day)
  if (cursor.open_day > day) return 0
  if (cursor.open_day < day) throw new Error(`company ${agentId}: ${cursor.open_day} has to be closed before ${day}`)
  const sums = await sumLines(tx, agentId, day)
  for (const [areaId, sum] of [...sums].toSorted(([a], [b]) => (a ?? 0) - (b ?? 0))) {
    const billId = await insertBill(tx, { agentId, areaId, day, at, sum })
    const entry = billSplit({ ...sum, agentId, at, billId, parties: [...sum.parties.values()] })
    if (entry !== null) await ledger.post(entry, tx)
  }
  await moveCursor(tx, agentId, { entryNumber: cursor.entry_number, openDay: addDays(day, 1) })
  return sums.size
}

/** The lines of a day by area, in the order of their entries. */
async function sumLines(tx: Tx, agentId: number, day: string): Promise<Map<number | null, Sum>> {
  const parties = new Map(
    (await partiesRow.select`from split_terms t where t.agent_id = ${agentId}`.execute(tx)).rows.map((row) => [
      row.id,
      row,
    ]),
  )
  const areas = new Map<number | null, { sum: Mutable; hash: ReturnType<typeof createHash> }>()
  let last: { areaId: number; number: number } = { areaId: -1, number: 0 }
  for (;;) {
    const { rows } = await lineRow.select`
      from split_line l
      where l.agent_id = ${agentId} and l.day = ${day}
        and (coalesce(l.area_id, 0), l.entry_number) > (${last.areaId}::bigint, ${last.number}::bigint)
      order by coalesce(l.area_id, 0), l.entry_number limit ${linesAtATime}`.execute(tx)
    for (const line of rows) {
      let of = areas.get(line.area_id)
      if (of === undefined) {
        of = { sum: emptySum(), hash: createHash('sha256') }
        areas.set(line.area_id, of)
      }
      of.hash.update(textOf(line))
      add(of.sum, line, line.terms_id === null ? undefined : parties.get(line.terms_id))
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < linesAtATime) break
    last = { areaId: end.area_id ?? 0, number: end.entry_number }
  }
  return new Map([...areas].map(([areaId, { sum, hash }]) => [areaId, { ...sum, hash: hash.digest() }]))
}

type Mutable = { -readonly [K in keyof Omit<Sum, 'hash'>]: Sum[K] }
const emptySum = (): Mutable => ({
  lines: 0,
  paidCents: 0,
  feeCents: 0,
  platformBorneCents: 0,
  partnerBorneCents: 0,
  ownerCents: 0,
  parties: new Map(),
})

/** A line as the hash of its bill covers it: whoever has the lines of a bill can prove it. */
function textOf(line: Line): string {
  const { entry_number, order_id, terms_id, paid_cents, fee_cents, platform_borne_cents, partner_borne_cents } = line
  const known = [entry_number, order_id ?? '', terms_id ?? '', paid_cents, fee_cents, platform_borne_cents]
  return `${[...known, partner_borne_cents, line.party_cents.join('|'), line.owner_cents].join(',')}\n`
}

function add(sum: Mutable, line: Line, terms: RowOf<typeof partiesRow> | undefined): void {
  sum.lines += 1
  sum.paidCents += line.paid_cents
  sum.feeCents += line.fee_cents
  sum.platformBorneCents += line.platform_borne_cents
  sum.partnerBorneCents += line.partner_borne_cents
  sum.ownerCents += line.owner_cents
  for (const [at, cents] of line.party_cents.entries()) {
    const partyId = terms?.ids[at]
    if (partyId === undefined) throw new Error(`entry ${line.entry_number} has a share that its terms do not name`)
    const before = sum.parties.get(partyId)?.cents ?? 0
    sum.parties.set(partyId, { partyId, name: terms?.names[at] ?? '', cents: before + cents })
  }
}

async function insertBill(
  tx: Tx,
  bill: {
    readonly agentId: number
    readonly areaId: number | null
    readonly day: string
    readonly at: number
    readonly sum: Sum
  },
): Promise<number> {
  const { agentId, areaId, day, at, sum } = bill
  const { id } = await tx
    .insertInto('split_bill')
    .values({
      agent_id: agentId,
      area_id: areaId,
      day,
      lines: sum.lines,
      paid_cents: sum.paidCents,
      fee_cents: sum.feeCents,
      platform_borne_cents: sum.platformBorneCents,
      partner_borne_cents: sum.partnerBorneCents,
      owner_cents: sum.ownerCents,
      parties: JSON.stringify([...sum.parties.values()]),
      closed_at: new Date(at),
      hash: sum.hash,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
