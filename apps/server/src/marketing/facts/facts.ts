import { sql } from 'kysely'
import { dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'

/** What riders did, for jobs that count it. See decision 0046. */

export const factKinds = [
  'ride_paid',
  'ride_refunded',
  'rider_new',
  'rider_identified',
  'rider_certified',
  'recharged',
] as const
export type FactKind = (typeof factKinds)[number]

const factRow = rowOf('fact', 'f', ['seq', 'agent_id', 'rider_id', 'kind', 'subject_id', 'at'])
  .filled('seq')
  .codes({ kind: factKinds })
/** `subject_id`: the order, the rider, the certificate or the payment. */
export type Fact = RowOf<typeof factRow>

export type Consumer = {
  /** Names its cursor: it never changes. */
  readonly name: string
  readonly kinds: readonly FactKind[]
  /** Processes facts in their order, in the transaction that moves the cursor. */
  handle(tx: Tx, facts: readonly Fact[]): Promise<void>
}

export type Facts = {
  /** Adds a consumer when the platform is put together. It begins with the first fact that is kept. */
  consume(consumer: Consumer): void
  /** Numbers new facts and hands them to every consumer. Resolves to their number. For the worker; safe on several at once. */
  run(): Promise<number>
}

const numberedAtOnce = 5_000
/** Facts of one transaction of a consumer: its locks are held that long. */
const batchSize = 100
/** Batches of one turn; what is left comes with the next. */
const batchesMax = 2_000
const keptDays = 90
const deletedAtOnce = 5_000

export function createFacts(
  kit: Pick<Kit, 'db' | 'clock' | 'log'>,
  options: { readonly batchSize?: number } = {},
): Facts {
  const { db, log } = kit
  const consumers: Consumer[] = []
  const limit = options.batchSize ?? batchSize
  return {
    consume(consumer) {
      if (consumers.some(({ name }) => name === consumer.name)) throw new Error(`two consumers are ${consumer.name}`)
      consumers.push(consumer)
    },

    run: async () => {
      let numbered = 0
      for (let turn = 0; turn < batchesMax; turn += 1) {
        const count = await db.system(numberFacts)
        numbered += count
        if (count < numberedAtOnce) break
      }
      for (const consumer of consumers) {
        try {
          await follow(kit, consumer, limit)
        } catch (err) {
          // The others go on; this one begins again where its cursor stands.
          log.error({ err, consumer: consumer.name }, 'facts could not be processed')
        }
      }
      await db.system((tx) => deleteOld(tx, { now: kit.clock.now(), consumers: consumers.map(({ name }) => name) }))
      return numbered
    },
  }
}

/**
 * Gives the next numbers to facts that are committed. The lock of the last number makes this one transaction at a time, so
 * a number is visible only when all lower ones are: a cursor never passes a fact.
 */
async function numberFacts(tx: Tx): Promise<number> {
  await sql`select from fact_number for update`.execute(tx)
  const { numAffectedRows = 0n } = await sql`
    update fact f set seq = n.last + u.place
    from fact_number n, (
      select w.id, row_number() over (order by w.id) as place
      from (select id from fact where seq is null order by id limit ${numberedAtOnce}) w) u
    where f.id = u.id`.execute(tx)
  const count = Number(numAffectedRows)
  if (count > 0) await sql`update fact_number set last = last + ${count}`.execute(tx)
  return count
}

const cursorRow = rowOf('fact_cursor', ['seq'])
const topRow = rowOfValues({ seq: computed('bigint', sql`coalesce(max(f.seq), 0)`) })

async function follow({ db }: Pick<Kit, 'db'>, consumer: Consumer, limit: number): Promise<void> {
  await db.system((tx) =>
    sql`insert into fact_cursor (consumer, seq) values (${consumer.name}, 0) on conflict do nothing`.execute(tx),
  )
  for (let turn = 0; turn < batchesMax; turn += 1) {
    if ((await db.system((tx) => followOnce(tx, consumer, limit))) < limit) return
  }
}

/** Processes one batch and moves the cursor, both or neither. */
async function followOnce(tx: Tx, consumer: Consumer, limit: number): Promise<number> {
  // Another server that processes for this consumer goes on alone.
  const { rows: cursors } = await cursorRow.select`
    from fact_cursor where consumer = ${consumer.name} for update skip locked`.execute(tx)
  const [cursor] = cursors
  if (cursor === undefined) return 0
  const top = (await topRow.select`from fact f where f.seq > ${cursor.seq}`.execute(tx)).rows[0]?.seq ?? 0
  if (top <= cursor.seq) return 0
  const { rows } = await factRow.select`
    from fact f
    where f.seq > ${cursor.seq} and f.seq <= ${top} and f.kind = any (${consumer.kinds}::text[])
    order by f.seq limit ${limit}`.execute(tx)
  if (rows.length > 0) await consumer.handle(tx, rows)
  // Facts of other kinds are passed as well, so that they are not read again and again.
  const seq = rows.length < limit ? top : (rows.at(-1)?.seq ?? top)
  await sql`update fact_cursor set seq = ${seq} where consumer = ${consumer.name}`.execute(tx)
  return rows.length
}

/** Deletes facts that are old and that every consumer has behind it. */
async function deleteOld(tx: Tx, { now, consumers }: { now: number; consumers: readonly string[] }): Promise<void> {
  if (consumers.length === 0) return
  const before = new Date(now - keptDays * dayMs)
  await sql`
    delete from fact where id in (
      select f.id from fact f
      where f.at < ${before} and f.seq <= (select min(seq) from fact_cursor where consumer = any (${consumers}::text[]))
      order by f.at, f.id limit ${deletedAtOnce})`.execute(tx)
}
