import { sql } from 'kysely'
import {
  usualWithdrawalTerms,
  withdrawalList,
  withdrawalStates,
  withdrawalTermsSchema,
  type WithdrawalState,
  type WithdrawalTerms,
} from '@saddle/contract/finance/withdrawals.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'

export const withdrawalRow = rowOf('withdrawal', 'w', [
  'id',
  'agent_id',
  'number',
  'card_id',
  'cents',
  'fee_cents',
  'state',
  'needs_second',
  'day',
  'asked_at',
  'asked_by_id',
  'asked_by',
  'expires_at',
  'second_by',
  'asks',
  'sends',
  'bank_number',
  'bank_at',
  'paid_at',
  'ended_at',
  'reason',
]).codes({ state: withdrawalStates })
export type WithdrawalRow = RowOf<typeof withdrawalRow>

/** With the names that a reader wants. */
export const shownRow = rowsOf(
  withdrawalRow,
  rowOf('bank_card', 'c', ['bank_name', 'last_digits']),
  rowOfValues({ company: computed('text', sql`a.company`) }),
)
const shownJoins = sql`join bank_card c on c.id = w.card_id join agent a on a.id = w.agent_id`

export const withdrawalRows = tableList(withdrawalList, {
  table: 'withdrawal',
  alias: 'w',
  tenant: 'agent',
  columns: shownRow,
  joins: shownJoins,
  sorts: { asked: ['asked_at', 'instant'] },
  sums: { cents: sql`w.cents`, feeCents: sql`w.fee_cents` },
  find: ({ id, agentId, states, ...span }) => ({
    agentIds: agentId === undefined ? undefined : [agentId],
    runs: { column: 'state', type: 'text', values: states ?? withdrawalStates },
    narrowed: [id !== undefined && sql`w.id = ${id}`],
    where: [...spanOf('w.asked_at', span)],
  }),
})

type OfScope = { readonly id: number; readonly scope: Pick<Scope, 'agentIds'> }

export const selectWithdrawal = ({ id, scope }: OfScope) =>
  shownRow.select`
    from withdrawal w ${shownJoins} where w.id = ${id} and w.agent_id = any (${scope.agentIds}::bigint[])`

/** The withdrawal of the scope, locked until the end of the transaction. */
export async function lockWithdrawal(tx: Tx, { id, scope }: OfScope): Promise<WithdrawalRow | undefined> {
  const { rows } = await withdrawalRow.select`
    from withdrawal w where w.id = ${id} and w.agent_id = any (${scope.agentIds}::bigint[]) for no key update`.execute(
    tx,
  )
  return rows[0]
}

export async function lockByNumber(tx: Tx, number: string): Promise<WithdrawalRow | undefined> {
  const { rows } = await withdrawalRow.select`from withdrawal w where w.number = ${number} for no key update`.execute(
    tx,
  )
  return rows[0]
}

type Person = { readonly operatorId: number; readonly name: string }

export async function insertWithdrawal(
  tx: Tx,
  made: {
    readonly agentId: number
    readonly number: string
    readonly cardId: number
    readonly cents: number
    readonly feeCents: number
    readonly termsVersion: number
    readonly day: string
    readonly at: Date
    readonly expiresAt: Date
    readonly by: Person
  },
): Promise<number> {
  const { agentId, by, at } = made
  const { id } = await tx
    .insertInto('withdrawal')
    .values({
      agent_id: agentId,
      number: made.number,
      card_id: made.cardId,
      cents: made.cents,
      fee_cents: made.feeCents,
      state: 'authorising',
      terms_version: made.termsVersion,
      needs_second: false,
      day: made.day,
      asked_at: at,
      asked_by_id: by.operatorId,
      asked_by: by.name,
      expires_at: made.expiresAt,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertStep(tx, { id, agentId, state: 'authorising', at, by, note: '' })
  return id
}

export async function insertStep(
  tx: Tx,
  step: {
    readonly id: number
    readonly agentId: number
    readonly state: WithdrawalState
    readonly at: Date
    readonly by: Person | null
    readonly note: string
  },
): Promise<void> {
  await tx
    .insertInto('withdrawal_step')
    .values({
      withdrawal_id: step.id,
      agent_id: step.agentId,
      state: step.state,
      at: step.at,
      by_id: step.by?.operatorId ?? null,
      by_name: step.by?.name ?? null,
      note: step.note,
    })
    .execute()
}

/** Of a withdrawal that the caller has locked. */
export async function changeWithdrawal(
  tx: Tx,
  { id, agent_id: agentId }: Pick<WithdrawalRow, 'id' | 'agent_id'>,
  change: {
    readonly state: WithdrawalState
    readonly at: Date
    readonly by: Person | null
    readonly note: string
    readonly nextAt: Date | null
    readonly values?: {
      readonly needs_second?: boolean
      readonly second_by_id?: number
      readonly second_by?: string
      readonly expires_at?: Date
      readonly sent_at?: Date
      readonly sends?: number
      readonly asks?: number
      readonly bank_number?: string | null
      readonly bank_at?: number
      readonly paid_at?: Date
      readonly ended_at?: Date | null
      readonly reason?: string
    }
  },
): Promise<void> {
  const { state, at, by, note, nextAt, values = {} } = change
  await tx
    .updateTable('withdrawal')
    .set({ ...values, state, next_at: nextAt, changed_at: at })
    .where('id', '=', id)
    .execute()
  await insertStep(tx, { id, agentId, state, at, by, note })
}

const stepRow = rowOf('withdrawal_step', 's', ['state', 'at', 'by_name as by', 'note']).codes({
  state: withdrawalStates,
})
export const presentStep = stepRow.present

export const selectSteps = ({ id, scope }: OfScope) =>
  stepRow.select`
    from withdrawal_step s
    where s.withdrawal_id = ${id} and s.agent_id = any (${scope.agentIds}::bigint[]) order by s.id limit 500`

/**
 * Adds to what a company withdraws on a day, unless that would go above its limit. A condition of the update, so that
 * two at the same moment cannot both pass.
 */
export async function takeOfDay(
  tx: Tx,
  { agentId, day, cents, dailyCents }: { agentId: number; day: string; cents: number; dailyCents: number },
): Promise<boolean> {
  if (cents > dailyCents) return false
  const { rows } = await sql`
    insert into withdrawal_day as d (agent_id, day, cents) values (${agentId}, ${day}::date, ${cents})
    on conflict (agent_id, day) do update set cents = d.cents + excluded.cents
    where d.cents + excluded.cents <= ${dailyCents} returning d.cents`.execute(tx)
  return rows.length > 0
}

/** What came back may be withdrawn again on that day. */
export async function giveBackToDay(tx: Tx, { agent_id: agentId, day, cents }: WithdrawalRow): Promise<void> {
  await sql`update withdrawal_day set cents = greatest(0, cents - ${cents}) where agent_id = ${agentId} and day = ${day}`.execute(
    tx,
  )
}

const centsRow = rowOfValues({ cents: computed('bigint', sql`coalesce(sum(cents), 0)`) })

/** What a person has submitted of a company's money on a day and what did not come back. */
export async function dayCentsOf(
  tx: Tx,
  { agentId, operatorId, day }: { agentId: number; operatorId: number; day: string },
): Promise<number> {
  const { rows } = await centsRow.select`
    from withdrawal where agent_id = ${agentId} and day = ${day}::date and asked_by_id = ${operatorId}
      and state in ('waiting', 'queued', 'sent', 'unknown', 'paid', 'conflict')`.execute(tx)
  return rows[0]?.cents ?? 0
}

export async function drawnOfDay(tx: Tx, { agentId, day }: { agentId: number; day: string }): Promise<number> {
  const { rows } = await centsRow.select`
    from withdrawal_day where agent_id = ${agentId} and day = ${day}::date`.execute(tx)
  return rows[0]?.cents ?? 0
}

const idRow = rowOf('withdrawal', 'w', ['id', 'agent_id', 'number'])
export type Due = RowOf<typeof idRow>
const BATCH = 50

/** Withdrawals whose time has come, by what is to be done with them. */
export async function selectDue(
  tx: Tx,
  { states, now }: { states: readonly WithdrawalState[]; now: Date },
): Promise<Due[]> {
  const { rows } = await idRow.select`
    from withdrawal w where w.next_at <= ${now} and w.state = any (${states}::text[]) order by w.next_at limit ${BATCH}`.execute(
    tx,
  )
  return rows
}

/** Those whose password or second person did not come in time. */
export async function selectExpired(tx: Tx, now: Date): Promise<Due[]> {
  const { rows } = await idRow.select`
    from withdrawal w where w.state in ('authorising', 'waiting') and w.expires_at <= ${now} order by w.id limit ${BATCH}`.execute(
    tx,
  )
  return rows
}

const termsRow = rowOf('withdrawal_terms', 't', ['version', 'terms', 'reason', 'made_at', 'made_by'])

export const selectTerms = ({ agentId, scope }: { agentId: number; scope: Pick<Scope, 'agentIds'> }) =>
  termsRow.select`
    from withdrawal_terms t where t.agent_id = ${agentId} and t.agent_id = any (${scope.agentIds}::bigint[])
    order by t.version desc limit 100`

export const presentTerms = (row: RowOf<typeof termsRow>) => ({
  ...termsRow.present(row),
  terms: withdrawalTermsSchema.parse(row.terms),
})

/** What holds for a company now; version 0: nothing was set. */
export async function termsOf(tx: Tx, agentId: number): Promise<{ version: number; terms: WithdrawalTerms }> {
  const { rows } = await termsRow.select`
    from withdrawal_terms t where t.agent_id = ${agentId} order by t.version desc limit 1`.execute(tx)
  const [row] = rows
  if (row === undefined) return { version: 0, terms: usualWithdrawalTerms }
  return { version: row.version, terms: withdrawalTermsSchema.parse(row.terms) }
}
