import type { MdsPolicyEnd } from '@saddle/contract/feeds/policy.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { tell } from '#notices/public.ts'
import { boundariesOf } from '../mds/boundary.ts'
import { createWithin, selectStanding } from './stays.ts'
import { endPolicy, freeRules, saveCount, selectRules, takeCaps, takeEnding, type HeldPolicy } from './store.ts'

export interface KeepDeps {
  readonly kit: Pick<Kit, 'db' | 'clock'>
  readonly audit: Audit
  readonly geography: Pick<Geography, 'endZones'>
}

/** Vehicles of a cap are counted this often. */
const countEveryMs = 10 * minuteMs
/** Policies that end, and caps that are counted, in one transaction. */
const batch = 20
const page = '/agent/open-interfaces'

/** Ends policies whose time is over, and counts the vehicles of the caps; resolves to the number of both. */
export async function keepPolicies(deps: KeepDeps): Promise<number> {
  const { db } = deps.kit
  let done = 0
  for (const work of [endDue, countDue]) {
    for (;;) {
      const count = await db.system((tx) => work(deps, tx))
      done += count
      if (count < batch) break
    }
  }
  return done
}

async function endDue(deps: KeepDeps, tx: Tx): Promise<number> {
  const at = new Date(deps.kit.clock.now())
  const { rows } = await takeEnding(at, batch).execute(tx)
  for (const row of rows) await endOne(deps, tx, { policy: row, reason: row.reason as MdsPolicyEnd, at })
  return rows.length
}

/** What was made of a policy goes with it. */
async function endOne(
  { audit, geography }: KeepDeps,
  tx: Tx,
  { policy, reason, at }: { readonly policy: HeldPolicy; readonly reason: MdsPolicyEnd; readonly at: Date },
): Promise<void> {
  const { id, agent_id: agentId, name } = policy
  const { rows: rules } = await selectRules(scopeOfAgent(agentId), [id]).execute(tx)
  const taken = rules.filter((rule) => rule.taken_at !== null)
  const lineIds = taken.flatMap((rule) => rule.line_ids)
  const note = name.slice(0, 200)
  const fences = lineIds.length === 0 ? 0 : await geography.endZones(tx, { agentId, lineIds, by: 'MDS', note })
  if (taken.length > 0) await freeRules(taken.map((rule) => rule.id)).execute(tx)
  await endPolicy(id, { at, reason }).execute(tx)
  await audit.write(tx, {
    agentId,
    operatorId: null,
    action: 'mds_policy.end',
    subjectKind: 'mds_policy',
    subjectId: id,
    after: { name, reason, rules: taken.length, fences },
  })
  if (taken.length === 0) return
  await tell(tx, {
    event: 'mds_policy_ended',
    agentId,
    subject: `mds_policy ${id}`,
    key: `mds_policy_ended ${id}`,
    values: { name, fences },
    path: page,
    at,
  })
}

async function countDue({ kit }: KeepDeps, tx: Tx): Promise<number> {
  const now = kit.clock.now()
  const at = new Date(now)
  const { rows } = await takeCaps({ at, before: new Date(now - countEveryMs), limit: batch }).execute(tx)
  for (const {
    id,
    agent_id: agentId,
    area_ids: areaIds,
    name,
    maximum,
    boundary,
    except_in: except,
    ...rule
  } of rows) {
    const isWithin = createWithin(boundary, except)
    const standing = selectStanding(scopeOfAgent(agentId, areaIds), boundariesOf(boundary).box)
    const counted = (await standing.execute(tx)).rows.filter(isWithin).length
    const isOver = counted > maximum
    await saveCount(id, { counted, at, isOver }).execute(tx)
    if (!isOver || rule.over_since !== null) continue
    await tell(tx, {
      event: 'mds_cap_exceeded',
      agentId,
      subject: `mds_policy_rule ${id}`,
      key: `mds_cap_exceeded ${id} ${now}`,
      values: { name, vehicles: counted, maximum },
      path: page,
      at,
    })
  }
  return rows.length
}
