import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tx } from '#kit/db/pool.ts'
import { marketingWorld } from '../marketing.fixture.ts'
import { createFacts, type Fact } from './facts.ts'

let world: Awaited<ReturnType<typeof marketingWorld>>
beforeAll(async () => {
  world = await marketingWorld()
  await sql`create table counted (consumer text, subject_id bigint, primary key (consumer, subject_id))`.execute(
    world.owner,
  )
  await sql`grant all on counted to saddle_system`.execute(world.owner)
})
afterAll(async () => {
  await world.db.close()
})

/** Numbers between 0 and 1 that a seed decides (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const count = (consumer: string) => async (tx: Tx, facts: readonly Fact[]) => {
  for (const fact of facts) {
    await sql`insert into counted values (${consumer}, ${fact.subject_id})`.execute(tx)
  }
}
const countedBy = async (consumer: string) => {
  const { rows } = await sql<{ id: number }>`
    select subject_id as id from counted where consumer = ${consumer} order by 1`.execute(world.owner)
  return rows.map(({ id }) => id)
}

it('hands each fact over once, in order, though transactions abort at any point', async () => {
  const { riderIds } = await world.newRiders(60)
  for (let seed = 1; seed <= 8; seed += 1) {
    const random = seeded(seed)
    const name = `seed_${'abcdefgh'[seed - 1]}`
    const seen: number[] = []
    for (let tries = 0; tries < 200; tries += 1) {
      const facts = createFacts(world.kit, { batchSize: 1 + Math.floor(random() * 7) })
      facts.consume({
        name,
        kinds: ['rider_new'],
        handle: async (tx, batch) => {
          const dies = random() < 0.5 ? Math.floor(random() * (batch.length + 1)) : null
          await count(name)(tx, dies === null ? batch : batch.slice(0, dies))
          if (dies !== null) throw new Error('killed')
          seen.push(...batch.map((fact) => fact.seq))
        },
      })
      await facts.run()
      if (seen.length >= riderIds.length) break
    }
    expect(await countedBy(name), `seed ${seed}`).toEqual([...riderIds].toSorted((a, b) => a - b))
    expect(seen, `seed ${seed}`).toEqual(seen.toSorted((a, b) => a - b))
  }
})

it('passes no fact whose transaction commits after a later one', async () => {
  const facts = createFacts(world.kit)
  facts.consume({ name: 'late', kinds: ['rider_new'], handle: count('late') })
  await facts.run()
  const before = await countedBy('late')
  const gate = Promise.withResolvers<undefined>()
  const opened = Promise.withResolvers<number>()
  const slow = world.db.system(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into rider (agent_id, phone_hash, phone_sealed, created_at, last_active_at)
      values (3, 'slow', 'x', now(), now()) returning id`.execute(tx)
    opened.resolve(rows[0]?.id ?? 0)
    await gate.promise
  })
  const slowId = await opened.promise
  const { riderIds } = await world.newRiders(1)
  await facts.run()
  expect((await countedBy('late')).length, 'the rider whose transaction is open was handed over').toBe(
    before.length + 1,
  )
  gate.resolve(undefined)
  await slow
  await facts.run()
  expect(await countedBy('late')).toEqual([...before, slowId, ...riderIds].toSorted((a, b) => a - b))
})

it('goes on with the others where one consumer fails, and never numbers twice with many servers', async () => {
  const [first, second] = [createFacts(world.kit), createFacts(world.kit)]
  for (const facts of [first, second]) {
    facts.consume({ name: 'broken', kinds: ['rider_new'], handle: () => Promise.reject(new Error('broken')) })
    facts.consume({ name: 'sound', kinds: ['rider_new'], handle: count('sound') })
  }
  await world.newRiders(20)
  await Promise.all([first.run(), second.run(), first.run(), second.run()])
  await first.run()
  const { rows } = await sql<{ facts: number; numbers: number; last: number }>`
    select count(*)::int as facts, count(distinct seq)::int as numbers, max(seq)::int as last from fact`.execute(
    world.owner,
  )
  expect(rows[0]?.numbers).toBe(rows[0]?.facts)
  expect(rows[0]?.last, 'there is a gap').toBe(rows[0]?.facts)
  expect((await countedBy('sound')).length).toBe(rows[0]?.facts)
})
