import { afterEach, describe, expect, it, vi } from 'vitest'
import type * as statements from '#kit/db/statement.ts'
import type { BatchItem } from '#kit/db/statement.ts'
import type { CallOptions, TestClient } from '#test/client.ts'
import { inSecondArea, type TenantFixture } from '#test/tenants.ts'
import { mixed } from './reaches.ts'
import type { Kind } from './secondNet.ts'
import { inOneLine, isAreaRun, isMeant, secondNets } from './secondNets.ts'
import { otherSpecimens } from './specimens/all.ts'
import type { SealedName } from './specimens/specimen.ts'
import { attempt, calls, createWorld, endpointOf, inputFor, openPolicies, steady, type World } from './world.ts'
import { isLong } from '../../../../scripts/lib/thorough.mjs'

/**
 * Removes the scope's filter from one statement at a time, with the row policies opened, and checks that the attempts to
 * reach foreign things detect it: an answer differs from that with the filter, or a row of the other tenant has changed.
 * Where a call looks up a thing within the scope first and filters its details again, removing the second filter has no
 * effect; then it must make a difference when it is the only filter left.
 */
type Statements = typeof statements
interface Mutant {
  readonly kind: Kind
  readonly statement: string
  /** Which filters are out: the statement's own, those of all others, or all. */
  readonly out: 'own' | 'others' | 'all'
}

const wire = vi.hoisted(() => ({ mutant: null as Mutant | null, seen: new Set<string>() }))
/** `v.agent_id = any ($2::bigint[])`, `agent.id = any ($2)` and `in (select unnest($2::bigint[]))`, in all their spellings. */
const filters =
  /((?:"?\w+"?\.)?"?(?:agent_id|area_id)"?|"?agent"?\."?id"?) (?:= any ?\(|in \(select unnest\((?=\$\d+::bigint\[\]\)\)))(\$\d+)(?:::bigint\[\])?\)(?:(?<=unnest\([^)]*\))\))?/g

function withoutFilters(sql: string, kind: Kind): string {
  return sql.replaceAll(filters, (filter: string, column: string, value: string) =>
    kind === 'area' && !column.includes('area_id') ? filter : `(${value}::bigint[] is not null)`,
  )
}

vi.mock('#kit/db/statement.ts', async (importOriginal) => {
  const original = await importOriginal<Statements>()
  const changed = (sql: string): string => {
    if (filters.test(sql)) wire.seen.add(sql)
    filters.lastIndex = 0
    const { mutant } = wire
    if (mutant === null || (mutant.out !== 'all' && (mutant.statement === sql) !== (mutant.out === 'own'))) return sql
    return withoutFilters(sql, mutant.kind)
  }
  return {
    ...original,
    runStatement: (options) => original.runStatement({ ...options, sql: changed(options.sql) }),
    runBatch: ({ client, items }) =>
      original.runBatch({
        client,
        items: items.map((item): BatchItem => ({
          sql: changed(item.sql),
          values: item.values,
          scope: item.scope,
          resolve: (result) => item.resolve(result),
          reject: (error) => item.reject(error),
        })),
      }),
  } satisfies Statements
})

type Question = readonly [client: TestClient, input: unknown, options?: CallOptions]

/** Everything that is asked for, in the same order each time: who asks, for what, and with which selection. */
function questions({ alpha, bravo, clients }: World, name: SealedName): Question[] {
  const isReading = endpointOf(name).method === 'GET'
  const others = otherSpecimens[name] ?? []
  const asked = (['manager', 'worker'] as const).flatMap((role) => {
    const of = (tenant: TenantFixture): unknown[] => [
      inputFor(name, tenant, alpha[role]),
      ...others.map((make) => make(tenant)),
    ]
    const inputs = [...of(bravo), mixed(inputFor(name, alpha, alpha[role]), inputFor(name, bravo, alpha[role]))]
    // One's own things are changed by asking, so they are only read; the worker is not held to the second area's.
    if (isReading) inputs.push(...of(alpha))
    if (isReading || (role === 'worker' && endpointOf(name).scope === 'area')) inputs.push(...of(inSecondArea(alpha)))
    return inputs.map((input): Question => [clients[role], input])
  })
  if (!isReading || endpointOf(name).scope === 'self') return asked
  // A filter that names areas beyond one's grant is refused before any statement. Whoever was granted both areas and
  // has selected one of them may name both: then it is the statement that keeps to the selected one.
  const selected = { token: { opAreaIds: [alpha.areaIds[0]] } }
  const own = [inputFor(name, alpha, alpha.manager), ...others.map((make) => make(alpha))]
  return [...asked, ...own.map((input): Question => [clients.manager, input, selected])]
}

/** What each question was answered, and whether a row of the other tenant became another. */
async function ask(world: World, name: SealedName): Promise<string[]> {
  const told: string[] = []
  for (const [client, input, options] of questions(world, name)) {
    const { result, isChanged } = await attempt(world, client, name, input, options)
    told.push(`${result.status} ${steady(result.body)}${isChanged ? ' changed' : ''}`)
  }
  return told
}

const world = await createWorld()
await openPolicies(world)
const baseline = new Map<SealedName, string[]>()
/** Which calls sent a statement with a filter. */
const callsOf = new Map<string, SealedName[]>()
for (const name of calls) {
  // Twice: the first call may change own data (such as marking messages as read), after which answers stay the same.
  await ask(world, name)
  wire.seen.clear()
  baseline.set(name, await ask(world, name))
  for (const statement of wire.seen) callsOf.set(statement, [...(callsOf.get(statement) ?? []), name])
}

async function askWith(mutant: Mutant, name: SealedName): Promise<string> {
  wire.mutant = mutant
  try {
    return (await ask(world, name)).join('\n')
  } finally {
    wire.mutant = null
  }
}

async function isNoticed(mutant: Mutant): Promise<boolean> {
  for (const name of callsOf.get(mutant.statement) ?? []) {
    const answers = await askWith(mutant, name)
    if (answers !== baseline.get(name)?.join('\n')) {
      // What the mutant let through is there now.
      const now = await ask(world, name)
      baseline.set(name, now)
      // An earlier mutant may have changed what this call reads: then the answers with the filter are others too.
      if (endpointOf(name).method === 'GET' && answers === now.join('\n')) continue
      return true
    }
  }
  return false
}

/** For calls that only read: whether the filter restricts the answer when it is the only one. */
async function holdsAlone(mutant: Mutant): Promise<boolean> {
  for (const name of callsOf.get(mutant.statement) ?? []) {
    if (endpointOf(name).method !== 'GET') continue
    const alone = await askWith({ ...mutant, out: 'others' }, name)
    if (alone !== (await askWith({ ...mutant, out: 'all' }, name))) return true
  }
  return false
}

const mutants = [...callsOf.keys()].flatMap((statement) => {
  const name = `${callsOf.get(statement)?.[0] ?? ''}: ${inOneLine(statement)}`.slice(0, 150)
  // The area first: a call that changes rows can be noticed once for each row.
  return (['area', 'company and area'] as const)
    .filter((kind) => withoutFilters(statement, kind) !== statement)
    .filter((kind) => kind === 'area' || withoutFilters(statement, 'area') !== withoutFilters(statement, kind))
    .map((kind) => ({ name, mutant: { kind, statement, out: 'own' as const } }))
})

/** All of them take minutes; every run of the tests takes some, and the longer checks take all. */
const chosen = isLong ? mutants : mutants.filter((_, index) => index % 8 === 0)
/** Entries without which a mutant would have failed, with the kind. */
const needed = new Set<string>()

describe('a filter that is gone', () => {
  afterEach(() => {
    wire.mutant = null
  })

  it('is looked for in many statements', () => {
    expect(mutants.length).toBeGreaterThan(50)
  })

  it.each(chosen)('is noticed, $mutant.kind: $name', async ({ mutant }) => {
    if (await isNoticed(mutant)) return
    if (await holdsAlone(mutant)) return
    if (mutant.kind === 'company and area' && isAreaRun(mutant.statement)) return
    const net = secondNets.find((one) => one.kinds.includes(mutant.kind) && isMeant(one, mutant.statement))
    if (net !== undefined) needed.add(`${mutant.kind}: ${net.statement}`)
    expect(net, `all answers are the same without the filter of ${mutant.statement}`).toBeDefined()
  })

  it.each(secondNets)('is a second net in one statement: $statement', (net) => {
    expect([...callsOf.keys()].filter((statement) => isMeant(net, statement))).toHaveLength(1)
  })

  if (isLong) {
    it('is exempted only where it has to be', () => {
      const entries = secondNets
        .filter(({ isByOrder }) => isByOrder !== true)
        .flatMap(({ kinds, statement }) => kinds.map((kind) => `${kind}: ${statement}`))
      expect(entries.filter((entry) => !needed.has(entry))).toEqual([])
    })
  }
})
