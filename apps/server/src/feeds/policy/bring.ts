import type { AnswerOf, InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { mdsPolicyLimits, type mdsPolicyEndpoints } from '@saddle/contract/feeds/policy.ts'
import { holdCompany, type Audit } from '#audit/public.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import type { sendOutside } from '#kit/webhook.ts'
import { lockJurisdiction, selectProvider } from '../mds/clientStore.ts'
import { formsOf, selectModels, selectSetting } from '../publication/store.ts'
import { readDocuments, type PolicyDocument } from './document.ts'
import { fetchDocuments } from './fetch.ts'
import { meaningsOf, type Company } from './rules.ts'

type Brought = AnswerOf<typeof mdsPolicyEndpoints.bringMdsPolicies>['data']

interface Deps {
  readonly kit: Kit
  readonly audit: Audit
  readonly send: typeof sendOutside
}

/** Models of a company that are looked at. */
const modelsMax = 200

/** Reads a city's documents and keeps the policies that are not known yet: all, or none where something is wrong. */
export async function bring(
  { kit, audit, send }: Deps,
  call: SessionCall,
  asked: InputOf<typeof mdsPolicyEndpoints.bringMdsPolicies>,
): Promise<Brought> {
  const { jurisdictionId, policies = '', geographies = '', url } = asked
  await kit.db.withScope(call.scope, (tx) => jurisdictionOf(tx, call, jurisdictionId))
  const texts = url === undefined ? { policies, geographies } : await fetchDocuments(kit, send, url)
  const read = readDocuments(texts)
  if (Array.isArray(read)) return { added: 0, known: 0, faults: read }
  const at = new Date(kit.clock.now())
  return kit.db.withScope(call.scope, async (tx) => {
    const { agent_id: agentId, name } = await jurisdictionOf(tx, call, jurisdictionId)
    await holdCompany(tx, 'mds_policy', agentId)
    const company = await companyIn(tx, call, agentId)
    const known = await knownOf(tx, jurisdictionId)
    const fresh = read.policies.filter((policy) => !known.has(policy.policy_id))
    const left = { added: fresh.length, known: read.policies.length - fresh.length, faults: [] }
    if (fresh.length === 0) return left
    const { rows } = await countRow.select`
      from mds_policy where jurisdiction_id = ${jurisdictionId} and end_reason is distinct from 'removed'`.execute(tx)
    if ((rows[0]?.count ?? 0) + fresh.length > mdsPolicyLimits.perJurisdiction)
      throw new AppError('mds_policies_too_many')
    for (const policy of fresh) {
      const own = { agentId, jurisdictionId, at, by: call.caller.name, url: url ?? null }
      await insertPolicy(tx, policy, meaningsOf(policy, read.geographies, company), own)
    }
    await audit.act(tx, call, {
      agentId,
      action: 'mds_policy.bring',
      subjectKind: 'mds_jurisdiction',
      subjectId: jurisdictionId,
      before: null,
      after: { jurisdiction: name, url: url ?? null, policies: fresh.map((policy) => policy.policy_id) },
    })
    return left
  })
}

async function jurisdictionOf(tx: Tx, call: SessionCall, id: number) {
  const [row] = (await lockJurisdiction(call.scope, id).execute(tx)).rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** What the rules of a policy are compared with: who the company is, and what it rides. */
async function companyIn(tx: Tx, { scope }: SessionCall, agentId: number): Promise<Company> {
  const [provider] = (await selectProvider(agentId).execute(tx)).rows
  const [setting] = (await selectSetting(agentId).execute(tx)).rows
  const { rows: models } = await selectModels(scope, agentId, modelsMax).execute(tx)
  const forms = formsOf(setting?.forms)
  const isKnown = models.length > 0 && models.every(({ model }) => forms.has(model))
  const own = [...forms.values()]
  return {
    providerId: provider?.provider_id ?? null,
    vehicleTypes: isKnown ? new Set(own.map(({ formFactor }) => formFactor)) : null,
    propulsionTypes: isKnown ? new Set(own.map(({ propulsion }) => propulsion)) : null,
  }
}

const knownRow = rowOf('mds_policy', ['policy_id'])

async function knownOf(tx: Tx, jurisdictionId: number): Promise<ReadonlySet<string>> {
  const { rows } = await knownRow.select`
    from mds_policy where jurisdiction_id = ${jurisdictionId} and end_reason is distinct from 'removed'`.execute(tx)
  return new Set(rows.map(({ policy_id: id }) => id))
}

interface Own {
  readonly agentId: number
  readonly jurisdictionId: number
  readonly at: Date
  readonly by: string
  readonly url: string | null
}

async function insertPolicy(
  tx: Tx,
  policy: PolicyDocument,
  meanings: ReturnType<typeof meaningsOf>,
  { agentId, jurisdictionId, at, by, url }: Own,
): Promise<void> {
  const { id } = await tx
    .insertInto('mds_policy')
    .values({
      agent_id: agentId,
      jurisdiction_id: jurisdictionId,
      policy_id: policy.policy_id,
      name: policy.name,
      description: policy.description,
      published_at: new Date(policy.published_date),
      starts_at: new Date(policy.start_date),
      ends_at: policy.end_date === null || policy.end_date === undefined ? null : new Date(policy.end_date),
      prev_policies: policy.prev_policies ?? [],
      source_url: url,
      created_at: at,
      created_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('mds_policy_rule')
    .values(
      meanings.map((meaning, position) => ({
        policy: id,
        agent_id: agentId,
        position,
        rule_id: policy.rules[position]?.rule_id ?? '',
        name: policy.rules[position]?.name ?? '',
        document: JSON.stringify(policy.rules[position]),
        becomes: meaning.becomes,
        reason: meaning.reason,
        maximum: meaning.maximum,
        boundary: JSON.stringify(meaning.boundary),
        except_in: JSON.stringify(meaning.exceptIn),
      })),
    )
    .execute()
}
