import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '#test/database.ts'

const { db, owner } = await testDatabase()

const scopeOf = (agentId: number) => ({ agentIds: [agentId], areaIds: [agentId * 10], operatorId: agentId })
const query = (text: ReturnType<typeof sql<{ n: number; agents: number[] }>>) => text.compile(owner)
const seen = (n: number) => query(sql`select ${n}::int as n, app_agent_ids() as agents`)

describe('lookup', () => {
  it('answers many at once, each with its own scope and values', async () => {
    const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => db.lookup(scopeOf(n + 1), seen(n))))
    expect(answers.map(([row]) => row)).toEqual(Array.from({ length: 500 }, (_, n) => ({ n, agents: [n + 1] })))
  })

  it('leaves the others alone when one fails', async () => {
    const bad = query(sql`select 1 / ${0}::int as n, app_agent_ids() as agents`)
    const wrong = query(sql`select nothing as n from nowhere`)
    const answers = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        db.lookup(scopeOf(n + 1), n % 4 === 1 ? bad : n % 4 === 3 ? wrong : seen(n)),
      ),
    )
    for (const [n, answer] of answers.entries()) {
      if (n % 2 === 1) expect(answer.status, String(n)).toBe('rejected')
      else expect(answer, String(n)).toMatchObject({ status: 'fulfilled', value: [{ n, agents: [n + 1] }] })
    }
    expect(await db.lookup(scopeOf(7), seen(1))).toEqual([{ n: 1, agents: [7] }])
  })

  it('leaves no scope behind', async () => {
    await db.lookup(scopeOf(3), seen(1))
    const rows = await Promise.all(
      Array.from({ length: 4 }, () => db.lookup({ agentIds: [], areaIds: [], operatorId: null }, seen(1))),
    )
    expect(rows.map(([row]) => row?.agents)).toEqual([[], [], [], []])
  })

  it('goes on when its connections are cut', async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'saddle_app' and datname = current_database()`.execute(
      owner,
    )
    await expect
      .poll(async () => await db.lookup(scopeOf(5), seen(2)).catch(() => null))
      .toEqual([{ n: 2, agents: [5] }])
  })
})
