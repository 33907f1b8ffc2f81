import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { CallToken } from '@saddle/contract/wire/token.ts'
import { toBase64Url, utf8 } from '@saddle/contract/wire/bytes.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { inSecondArea } from '#test/tenants.ts'
import { areaSnapshot, readTenant, tenantSnapshot } from './snapshot.ts'
import { otherSpecimens } from './specimens/all.ts'
import type { SealedName } from './specimens/specimen.ts'
import { answersOf, calls, createReach, endpointOf, inputFor, type Tally, type World } from './world.ts'

const isScoped = (name: SealedName): boolean => ['agent', 'area'].includes(endpointOf(name).scope)
/** The header's selectors offer everything that may be selected, whatever is selected now. */
const selectors: ReadonlySet<SealedName> = new Set(['listAgentAccounts', 'listServiceAreas'])

/** Each reveal of a rider's number is counted and shown with the rider. */
const revealing: ReadonlySet<SealedName> = new Set([
  'revealPhone',
  'revealCertificate',
  'riderDetail',
  'riderTimeline',
  'exportRiderTimeline',
])

/** The audit log grows with every call. */
const tellsOfAsking = (name: SealedName): boolean => /log/i.test(endpointOf(name).path) || revealing.has(name)

/** Changes the claims of a finished token without being able to sign it again. */
const editClaims =
  (change: Partial<CallToken>) =>
  (token: string): string => {
    const [header = '', body = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as CallToken
    return `${header}.${toBase64Url(utf8(JSON.stringify({ ...claims, ...change })))}.${signature}`
  }

const refusal = (code: string): unknown => ({ suc: false, error: expect.objectContaining({ code }) as unknown })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Own and foreign ids in one list, wherever the input has lists. */
export function mixed(own: unknown, foreign: unknown): unknown {
  if (Array.isArray(own) && Array.isArray(foreign)) return [...(own as unknown[]), ...(foreign as unknown[])]
  if (!isRecord(own) || !isRecord(foreign)) return foreign
  return Object.fromEntries(Object.keys(foreign).map((key) => [key, mixed(own[key], foreign[key])]))
}

/** The input with each of its fields left out, emptied, and of no value. */
function withHoles(input: unknown): unknown[] {
  if (!isRecord(input)) return []
  const holed: unknown[] = []
  for (const key of Object.keys(input)) {
    const { [key]: _, ...rest } = input
    holed.push(rest)
    for (const hole of ['', [], null, undefined, {}]) holed.push({ ...input, [key]: hole })
  }
  return holed
}

/** Every call is made three times in one test. */
const everyAnswerTimeoutMs = 180_000

/** More of everything for a tenant: vehicles that stand and ride, reports, trips. */
async function grow({ server, bravo }: World): Promise<void> {
  const { owner } = server
  await sql`update vehicle_status set battery_percent = 5
    where agent_id = ${bravo.agentId}`.execute(owner)
  for (const table of ['trip', 'vehicle_alarm', 'task'] as const) {
    const { rows } = await sql<{ names: string }>`
      select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''
    `.execute(owner)
    const names = sql.raw(rows[0]?.names ?? '')
    await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${sql.table(table)}
      where agent_id = ${bravo.agentId} on conflict do nothing`.execute(owner)
  }
}

/** All ways of reaching for another tenant's things, for every call of the contract. */
export function describeReaches(world: World, tally: Tally): void {
  const reach = createReach(world, tally)
  const { alpha, bravo, clients } = world

  describe.each(calls.map((name) => ({ name })))('$name', ({ name }) => {
    it.each(['manager', 'worker'] as const)('%s cannot reach a foreign thing', async (role) => {
      const foreign = inputFor(name, bravo, alpha[role])
      const inputs = [
        foreign,
        mixed(inputFor(name, alpha, alpha[role]), foreign),
        ...(otherSpecimens[name] ?? []).map((make) => make(bravo)),
      ]
      for (const input of inputs) {
        await reach(clients[role], name, input)
        await reach(clients[role], name, input, { token: { agentIds: [alpha.agentId] } })
        await reach(clients[role], name, input, { token: { opAreaIds: [alpha.areaIds[0]] } })
      }
    })

    if (endpointOf(name).scope === 'area') {
      it('a worker of one area cannot change a thing of the other', async () => {
        const { owner } = world.server
        const before = await areaSnapshot(owner, alpha.areaIds[1])
        const beyond = inSecondArea(alpha)
        const inputs = [
          inputFor(name, beyond, alpha.worker),
          ...(otherSpecimens[name] ?? []).map((make) => make(beyond)),
        ]
        for (const input of inputs) await reach(clients.worker, name, input)
        expect(await areaSnapshot(owner, alpha.areaIds[1])).toBe(before)
      })
    }

    it('a hole in the question opens nothing', async () => {
      for (const input of withHoles(inputFor(name, bravo, alpha.manager))) {
        const { status } = await reach(clients.manager, name, input)
        expect(status, JSON.stringify(input)).toBeLessThan(500)
      }
    })

    it('a scope that is named beside the token counts for nothing', async () => {
      const headers = [
        { agentids: String(bravo.agentId), opareaids: String(bravo.areaIds[0]) },
        { 'x-agent-id': String(bravo.agentId), 'x-forwarded-for': '127.0.0.1' },
      ]
      for (const header of headers) {
        await reach(clients.manager, name, inputFor(name, bravo, alpha.manager), { headers: header })
      }
    })

    it('a foreign id in the token refuses the whole call', async () => {
      const input = inputFor(name, bravo, alpha.manager)
      const selections: Partial<CallToken>[] = [
        { agentIds: [bravo.agentId] },
        { agentIds: [alpha.agentId, bravo.agentId] },
        { agentIds: [2] },
        { opAreaIds: [bravo.areaIds[0]] },
        { opAreaIds: [alpha.areaIds[0], bravo.areaIds[1]] },
        { opAreaIdsBigScreen: [bravo.areaIds[0]] },
        { agentIds: [999_999] },
      ]
      for (const token of selections) {
        const { status, body } = await reach(clients.manager, name, input, { token })
        expect({ status, body }, JSON.stringify(token)).toEqual({ status: 403, body: refusal('foreign_scope') })
      }
      const outside = { token: { opAreaIds: [alpha.areaIds[1]] } }
      const held = await reach(clients.worker, name, input, outside)
      expect(held).toEqual({ status: 403, body: refusal('foreign_scope') })
    })

    it('an edited, foreign or missing token is no login', async () => {
      const input = inputFor(name, bravo, alpha.manager)
      const forgeries = [
        editClaims({ agentIds: [bravo.agentId] }),
        editClaims({ opAreaIds: bravo.areaIds.slice() }),
        editClaims({ agentId: bravo.agentId }),
        editClaims({ phone: bravo.manager }),
        (token: string) => token.slice(0, -2),
        () => 'x',
      ]
      for (const forge of forgeries) {
        const result = await reach(clients.manager, name, input, { forge })
        expect(result).toEqual({ status: 401, body: refusal('unauthorized') })
      }
      const claims: Partial<CallToken>[] = [{ agentId: bravo.agentId }, { phone: bravo.manager }, { userId: 'other' }]
      for (const token of claims) {
        const result = await reach(clients.manager, name, input, { token })
        expect(result).toEqual({ status: 401, body: refusal('unauthorized') })
      }
    })

    // Things of one's own are not scoped.
    if (isScoped(name) && !selectors.has(name)) {
      it('empty lists reach nothing', async () => {
        const nothing: Partial<CallToken>[] = [{ agentIds: [] }, { agentIds: [], opAreaIds: [] }]
        if (endpointOf(name).scope === 'area') nothing.push({ opAreaIds: [] })
        const own = inputFor(name, alpha, alpha.manager)
        for (const token of nothing) {
          const before = await tenantSnapshot(world.server.owner, alpha.agentId)
          const result = await reach(clients.manager, name, own, { token })
          // A file names the person who exported it.
          const told = JSON.stringify(result.body).replaceAll(`${alpha.marker} manager`, '')
          expect(told).not.toContain(alpha.marker)
          expect(await tenantSnapshot(world.server.owner, alpha.agentId)).toBe(before)
        }
      })
    }

    it('a role without the code is refused', async () => {
      const asked = endpointOf(name).permission
      const result = await reach(clients.bare, name, inputFor(name, alpha, alpha.bare))
      const expected =
        typeof asked === 'string'
          ? expect.not.objectContaining({ status: 401 })
          : { status: 403, body: refusal('forbidden') }
      expect(result).toEqual(expected as unknown)
    })

    it('bad input changes nothing', async () => {
      for (const input of [null, [], 'x', { vehicleId: { $gt: 0 } }, { id: [1, 2] }, { conversationId: '1 or 1=1' }]) {
        const { status } = await reach(clients.manager, name, input)
        expect(status).toBeLessThan(500)
      }
    })

    if (endpointOf(name).host === 'finance') {
      it('foreign finance headers are refused', async () => {
        const input = inputFor(name, bravo, alpha.manager)
        const headers = [{ phone: bravo.manager }, { agentId: String(bravo.agentId) }]
        for (const header of headers) {
          const result = await reach(clients.manager, name, input, { headers: header })
          expect(result).toEqual({ status: 401, body: refusal('unauthorized') })
        }
        const untraced = await reach(clients.manager, name, input, { headers: { traceId: 'short' } })
        expect(untraced.status).toBe(400)
      })
    }
  })

  it('no row of the other tenant was changed unnoticed', async () => {
    const { owner } = world.server
    expect(await readTenant(owner, bravo.agentId)).toBe(await tenantSnapshot(owner, bravo.agentId))
  })

  it(
    'how much others have changes no answer',
    async () => {
      const comparable = calls.filter((name) => !tellsOfAsking(name))
      const before = new Map<SealedName, string[]>()
      // The first call may change data, such as marking messages as read.
      for (const name of comparable) await answersOf(world, name)
      for (const name of comparable) before.set(name, await answersOf(world, name))
      await grow(world)
      for (const name of comparable) {
        const answers = await answersOf(world, name)
        tally.cases += answers.length
        const told = before.get(name) ?? []
        tally.leaks += answers.filter((answer, index) => answer !== told[index]).length
        expect(answers, name).toEqual(told)
      }
    },
    everyAnswerTimeoutMs,
  )

  it('the platform above sees both', async () => {
    const { body } = await clients.root.call(endpoints.listAgentAccounts, {})
    expect(JSON.stringify(body)).toContain(alpha.marker)
    expect(JSON.stringify(body)).toContain(bravo.marker)
  })
}
