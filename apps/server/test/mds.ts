import { dayMs } from '@saddle/contract/time.ts'
import { sha256 } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { mdsTokenPurpose } from '#feeds/keyed.ts'

const ring = [
  [120, 31],
  [121, 31],
  [121, 32],
  [120, 32],
  [120, 31],
]

/** A jurisdiction of a company with credentials that a call could reach for. */
export async function addMds(options: {
  tx: Tx
  kit: Pick<Kit, 'secrets'>
  agentId: number
  vehicleIds: readonly number[]
  marker: string
  at: Date
}) {
  const { tx, kit, agentId, vehicleIds, marker, at } = options
  const by = `${marker} author`
  const tail = String(agentId).padStart(12, '0')
  await tx
    .insertInto('mds_provider')
    .values({ agent_id: agentId, provider_id: `00000000-0000-4000-8000-${tail}`, changed_at: at, changed_by: by })
    .execute()
  const { id: jurisdictionId } = await tx
    .insertInto('mds_jurisdiction')
    .values({
      agent_id: agentId,
      name: `${marker} city`,
      boundary: JSON.stringify([{ ring, holes: [] }]),
      west: 120,
      south: 31,
      east: 121,
      north: 32,
      created_at: at,
      created_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: clientId } = await tx
    .insertInto('mds_client')
    .values({
      agent_id: agentId,
      jurisdiction_id: jurisdictionId,
      name: `${marker} program`,
      client_id: `mds_${String(agentId).padStart(22, 'x')}`,
      secret_hash: sha256(`${marker} secret`),
      expires_at: new Date(at.getTime() + dayMs),
      created_at: at,
      created_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('mds_client_day')
    .values({
      client_id: clientId,
      agent_id: agentId,
      day: at.toISOString().slice(0, 10),
      calls: 200 + agentId,
      refused: 1,
    })
    .execute()
  await addAgency({ tx, kit, agentId, jurisdictionId, vehicleIds, marker, at })
  const policy = await addPolicy({ tx, agentId, jurisdictionId, marker, at })
  return { jurisdictionId, clientId, ...policy }
}

/** A policy with a cap that can be taken on, and one that has been. */
async function addPolicy(options: {
  readonly tx: Tx
  readonly agentId: number
  readonly jurisdictionId: number
  readonly marker: string
  readonly at: Date
}) {
  const { tx, agentId, jurisdictionId, marker, at } = options
  const tail = String(agentId).padStart(12, '0')
  const policyOf = (head: string) => ({
    agent_id: agentId,
    jurisdiction_id: jurisdictionId,
    policy_id: `${head}-0000-4000-8000-${tail}`,
    name: `${marker} policy`,
    description: `${marker} description`,
    published_at: at,
    starts_at: at,
    prev_policies: [],
    created_at: at,
    created_by: `${marker} author`,
  })
  const rows = await tx
    .insertInto('mds_policy')
    .values([policyOf('00000001'), policyOf('00000002')])
    .returning('id')
    .execute()
  const [policyId = 0, spareId = 0] = rows.map(({ id }) => id)
  const ruleOf = (position: number) => ({
    policy: policyId,
    agent_id: agentId,
    position,
    rule_id: `0000000${position}-0000-4000-8000-${tail}`,
    name: `${marker} cap ${position}`,
    document: JSON.stringify({ name: marker }),
    becomes: 'cap',
    maximum: 1_000 + agentId,
    boundary: JSON.stringify([{ ring, holes: [] }]),
  })
  const rules = await tx
    .insertInto('mds_policy_rule')
    .values([ruleOf(0), { ...ruleOf(1), taken_at: at, taken_by: `${marker} author` }])
    .returning(['id', 'taken_at'])
    .execute()
  const ruleId = rules.find((rule) => rule.taken_at === null)?.id ?? 0
  const takenRuleId = rules.find((rule) => rule.taken_at !== null)?.id ?? 0
  return { policyId, sparePolicyId: spareId, ruleId, takenRuleId }
}

/** Where the jurisdiction is sent: paused, so that what waits is not sent. */
async function addAgency(options: Parameters<typeof addMds>[0] & { readonly jurisdictionId: number }): Promise<void> {
  const { tx, kit, agentId, jurisdictionId, vehicleIds, marker, at } = options
  const [vehicleId = 0] = vehicleIds
  const own = { jurisdiction_id: jurisdictionId, agent_id: agentId }
  await tx
    .insertInto('mds_agency')
    .values({
      ...own,
      url: `https://${marker}.example.com/mds`,
      token_sealed: kit.secrets.encryptText({
        purpose: mdsTokenPurpose,
        text: `${marker} token`,
        context: String(jurisdictionId),
      }),
      state: 'paused',
      vehicles_at: at,
      telemetry_from: at,
      changed_at: at,
      changed_by: `${marker} author`,
    })
    .execute()
  await tx
    .insertInto('mds_agency_vehicle')
    .values({ ...own, vehicle_id: vehicleId, record: JSON.stringify({ vehicle_id: marker }), told_at: at })
    .execute()
  await tx
    .insertInto('mds_push')
    .values({
      ...own,
      vehicle_id: vehicleId,
      kind: 'event',
      record_id: agentId,
      created_at: at,
      state: 'failed',
      attempts: 1,
      fault: `${marker} fault`,
    })
    .execute()
  await tx
    .insertInto('mds_agency_day')
    .values({ ...own, day: at.toISOString().slice(0, 10), kind: 'event', sent: 300 + agentId, refused: 1 })
    .execute()
}
