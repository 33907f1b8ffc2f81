import { sql } from 'kysely'
import { meters } from '@saddle/contract/finance/meters.ts'
import {
  objectionActs,
  objectionBillKinds,
  objectionList,
  objectionReasons,
  objectionStates,
  type ObjectionAct,
  type ObjectionReason,
  type ObjectionState,
} from '@saddle/contract/finance/objections.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'

type Agents = Pick<Scope, 'agentIds'>

const kindText = sql`case when o.split_bill_id is null then 'service' else 'split' end`
const numberText = sql`coalesce(b.number, 'FZ' || o.split_bill_id)`

const objection = rowsOf(
  rowOf('objection', 'o', [
    'id',
    'agent_id',
    'state',
    'reason',
    'text',
    'disputed_cents',
    'accepted_cents',
    'submitted_at',
    'submitted_by',
    'deadline_at',
    'decided_at',
    'decided_by',
    'note',
  ]).codes({ state: objectionStates, reason: objectionReasons }),
  rowOf('agent', 'agent', ['company']),
  rowOfValues({
    kind: computed('text', kindText),
    bill_id: computed('bigint', sql`coalesce(o.bill_id, o.split_bill_id)`),
    number: computed('text', numberText),
    // Income of an area that the caller does not have: its day is not shown.
    period: computed('text', sql`coalesce(to_char(b.month, 'YYYY-MM'), to_char(s.day, 'YYYY-MM-DD'), '--')`),
  }).codes({ kind: objectionBillKinds }),
)
export const presentObjection = objection.present
const joins = sql`
  left join service_bill b on b.id = o.bill_id left join split_bill s on s.id = o.split_bill_id
  join agent on agent.id = o.agent_id`

/** Text in which nothing stands for anything else. */
const part = (word: string): string => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`

export const objectionRows = tableList(objectionList, {
  table: 'objection',
  alias: 'o',
  tenant: 'agent',
  columns: objection,
  joins,
  sorts: { submitted: ['submitted_at', 'instant'], deadline: ['deadline_at', 'instant'] },
  sums: { disputedCents: sql`o.disputed_cents`, acceptedCents: sql`o.accepted_cents` },
  find: ({ id, word, kinds, states, reasons, ...span }) => ({
    narrowed: [id !== undefined && sql`o.id = ${id}`],
    where: [
      ...spanOf('o.submitted_at', span),
      kinds && sql`(${kindText}) = any (${kinds}::text[])`,
      states && sql`o.state = any (${states}::text[])`,
      reasons && sql`o.reason = any (${reasons}::text[])`,
      word !== undefined &&
        sql`(o.text ilike ${part(word)}
          or 'FZ' || o.split_bill_id ilike ${part(word)}
          or exists (select from service_bill w where w.id = o.bill_id and w.number ilike ${part(word)})
          or exists (select from agent w where w.id = o.agent_id and w.company ilike ${part(word)}))`,
    ],
  }),
})

const whole = rowsOf(
  objection,
  rowOf('objection', 'o', ['held_paid_cents', 'transit_cents', 'photo_ids', 'reviewer_id']),
)
export type WholeObjection = RowOf<typeof whole>

export function selectObjection({ id, scope }: { id: number; scope: Agents }) {
  return whole.select`
    from objection o ${joins} where o.id = ${id} and o.agent_id = any (${scope.agentIds}::bigint[])`
}

const billRow = rowOf('service_bill', ['id', 'agent_id', 'issued_at', 'open_cents', 'paid_cents']).filled('open_cents')
/** The bill of the scope, locked until the end of the transaction. */
export async function lockBillOf(
  tx: Tx,
  { id, scope }: { id: number; scope: Agents },
): Promise<RowOf<typeof billRow> | undefined> {
  return (
    await billRow.select`
      from service_bill where id = ${id} and agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  ).rows[0]
}

const count = rowOfValues({ lines: computed('bigint', sql`count(*)`) })
interface DisputedLine {
  readonly lineId: number
  readonly cents: number
}
const unnested = (lines: readonly DisputedLine[]) =>
  unnest<DisputedLine>({
    rows: lines,
    alias: 'n',
    columns: { line_id: ['bigint', ({ lineId }) => lineId], cents: ['bigint', ({ cents }) => cents] },
  })

/** How many of the lines belong to the bill and have as much that is neither disputed nor taken off. */
export async function disputableLines(
  tx: Tx,
  { billId, lines }: { readonly billId: number; readonly lines: readonly DisputedLine[] },
): Promise<number> {
  const { rows } = await count.select`
    from ${unnested(lines)} join service_bill_line l on l.id = n.line_id and l.bill_id = ${billId}
      and l.disputed_cents + l.adjusted_cents + n.cents <= l.amount_cents`.execute(tx)
  return rows[0]?.lines ?? 0
}

/** What every new objection has, whatever it disputes. */
export interface NewHead {
  readonly agentId: number
  readonly text: string
  readonly photoIds: readonly string[]
  readonly at: Date
  readonly deadlineAt: Date
  readonly by: string
  readonly byId: number | null
}

/** Inserts the objection without its lines; its id. */
export async function insertHead(
  tx: Tx,
  made: NewHead,
  about: {
    readonly bill_id?: number
    readonly split_bill_id?: number
    readonly reason: ObjectionReason
    readonly disputed_cents: number
    readonly held_paid_cents: number
    readonly transit_cents?: number
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('objection')
    .values({
      ...about,
      agent_id: made.agentId,
      text: made.text,
      photo_ids: [...made.photoIds],
      submitted_at: made.at,
      submitted_by: made.by,
      submitted_by_id: made.byId,
      deadline_at: made.deadlineAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertObjection(
  tx: Tx,
  made: NewHead & {
    readonly billId: number
    readonly reason: ObjectionReason
    readonly lines: readonly DisputedLine[]
    readonly unpaidCents: number
    readonly paidCents: number
  },
): Promise<number> {
  const { agentId, billId, lines, unpaidCents, paidCents, reason } = made
  const id = await insertHead(tx, made, {
    bill_id: billId,
    reason,
    disputed_cents: unpaidCents + paidCents,
    held_paid_cents: paidCents,
  })
  await sql`
    insert into objection_line (objection_id, line_id, agent_id, cents)
    select ${id}, n.line_id, ${agentId}, n.cents from ${unnested(lines)}`.execute(tx)
  await sql`
    update service_bill_line l set disputed_cents = l.disputed_cents + n.cents
    from ${unnested(lines)} where l.id = n.line_id`.execute(tx)
  await sql`
    update service_bill set held_cents = held_cents + ${unpaidCents + paidCents}, paid_cents = paid_cents - ${paidCents}
    where id = ${billId}`.execute(tx)
  return id
}

export async function insertEvent(
  tx: Tx,
  event: {
    readonly id: number
    readonly agentId: number
    readonly act: ObjectionAct | 'submit'
    readonly at: Date
    readonly by: string
    readonly byId: number | null
    readonly note: string
  },
): Promise<void> {
  await tx
    .insertInto('objection_event')
    .values({
      objection_id: event.id,
      agent_id: event.agentId,
      act: event.act,
      at: event.at,
      by_name: event.by,
      by_id: event.byId,
      note: event.note,
    })
    .execute()
}

export async function changeObjection(
  tx: Tx,
  id: number,
  changes: {
    readonly state: ObjectionState
    readonly note?: string
    readonly reviewer_id?: number | null
    readonly deadline_at?: Date
    readonly accepted_cents?: number
    readonly back_cents?: number
    readonly decided_at?: Date
    readonly decided_by?: string
    readonly decided_by_id?: number | null
  },
): Promise<void> {
  await tx.updateTable('objection').set(changes).where('id', '=', id).execute()
}

const heldLine = rowOf('objection_line', ['line_id', 'cents'])
export async function linesHeld(tx: Tx, id: number): Promise<DisputedLine[]> {
  const { rows } = await heldLine.select`
    from objection_line where objection_id = ${id} order by line_id for update`.execute(tx)
  return rows.map((row) => ({ lineId: row.line_id, cents: row.cents }))
}

/** Ends what an objection holds: a part is taken off the bill, the rest is to be paid or stays paid. */
export async function releaseHeld(
  tx: Tx,
  released: {
    readonly id: number
    readonly billId: number
    readonly disputedCents: number
    readonly acceptedCents: number
    /** What of the paid part stays paid. */
    readonly keptPaidCents: number
    readonly lines: readonly { readonly lineId: number; readonly cents: number; readonly acceptedCents: number }[]
  },
): Promise<void> {
  const rows = unnest<(typeof released.lines)[number]>({
    rows: released.lines,
    alias: 'n',
    columns: {
      line_id: ['bigint', ({ lineId }) => lineId],
      cents: ['bigint', ({ cents }) => cents],
      accepted: ['bigint', ({ acceptedCents }) => acceptedCents],
    },
  })
  await sql`
    update service_bill_line l set disputed_cents = l.disputed_cents - n.cents, adjusted_cents = l.adjusted_cents + n.accepted
    from ${rows} where l.id = n.line_id`.execute(tx)
  await sql`
    update objection_line l set accepted_cents = n.accepted
    from ${rows} where l.objection_id = ${released.id} and l.line_id = n.line_id and n.accepted > 0`.execute(tx)
  await sql`
    update service_bill set held_cents = held_cents - ${released.disputedCents},
      adjusted_cents = adjusted_cents + ${released.acceptedCents}, paid_cents = paid_cents + ${released.keptPaidCents}
    where id = ${released.billId}`.execute(tx)
}

const lineRow = rowsOf(
  rowOf('objection_line', 'x', ['line_id', 'cents', 'accepted_cents']),
  rowOf('service_bill_line', 'l', ['meter', 'area_id', 'quantity', 'amount_cents']).codes({ meter: meters }),
  rowOfValues({ area: computed('text?', sql`area.name`) }),
)
export const presentObjectionLine = lineRow.present
export function selectObjectionLines({ id, agentId }: { id: number; agentId: number }) {
  return lineRow.select`
    from objection_line x join service_bill_line l on l.id = x.line_id left join service_area area on area.id = l.area_id
    where x.objection_id = ${id} and x.agent_id = ${agentId} order by l.amount_cents desc, x.line_id`
}

const eventRow = rowOf('objection_event', 'e', ['act', 'at', 'by_name as by', 'note']).codes({
  act: ['submit', ...objectionActs] as const,
})
export const presentEvent = eventRow.present
export function selectEvents({ id, agentId }: { id: number; agentId: number }) {
  return eventRow.select`
    from objection_event e where e.objection_id = ${id} and e.agent_id = ${agentId} order by e.id limit 100`
}
