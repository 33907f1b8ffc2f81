import { createAudit } from '#audit/public.ts'
import { createGeography } from '#geography/public.ts'
import { createIdentity } from '#identity/public.ts'
import type { Scope } from '#kit/db/scope.ts'
import { insertTestTenants } from '#organisation/organisation.fixture.ts'
import { createCompanies, createOrganisation } from '#organisation/public.ts'
import { createPhotos } from '#photos/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { firstRoleCodes } from '@saddle/contract/organisation/companies.ts'
import { operatorLevels } from '@saddle/contract/constants.ts'

/** The tenants of `insertTestTenants` with the office over them, and one person of each kind with a real account. */
export async function companyWorld() {
  const { db, owner } = await testDatabase()
  const kit = testKit(db)
  const audit = createAudit(kit)
  const identity = await createIdentity(kit, { audit })
  const organisation = createOrganisation(kit)
  await insertTestTenants(owner)
  const companies = createCompanies({
    kit,
    audit,
    identity,
    geography: createGeography(kit, { audit }),
    photos: createPhotos(kit),
  })
  const addPerson = (agentId: number, phone: string, areaIds?: readonly number[]): Promise<number> =>
    db.system((tx) =>
      identity.createOperator(tx, {
        agentId,
        phone,
        name: `测试${phone.slice(-2)}`,
        level: operatorLevels.admin,
        roleId: null,
        ...(areaIds !== undefined && { areaIds }),
      }),
    )
  const ids = {
    platform: await addPerson(2, '13800000001'),
    manager: await addPerson(3, '13800000002'),
    worker: await addPerson(3, '13800000003', [31]),
  }
  const permissions = ['110101', '1101', '1103', '1002', ...firstRoleCodes]
  type Narrowing = Partial<Pick<Scope, 'agentIds' | 'areaIds'>>
  const caller = (operatorId: number, agentId: number, grant: { agentIds: number[]; areaIds: number[] }) => {
    return (scope: Narrowing = {}, held: readonly string[] = permissions) =>
      sessionCall({ operatorId, agentId, grant, scope: { ...grant, ...scope }, permissions: held })
  }
  return {
    kit,
    owner,
    ids,
    addPerson,
    organisation,
    handlers: { ...organisation.handlers, ...companies.handlers },
    logo: companies.logo,
    calls: {
      platform: caller(ids.platform, 2, { agentIds: [2, 3, 4], areaIds: [31, 32, 41] }),
      manager: caller(ids.manager, 3, { agentIds: [3], areaIds: [31, 32] }),
      worker: caller(ids.worker, 3, { agentIds: [3], areaIds: [31] }),
    },
    /** What the trail says of one thing, the oldest first. */
    recordsOf: async (kind: string, id: number | string) => {
      const rows = await owner
        .selectFrom('audit_record')
        .select(['agent_id', 'action', 'operator_id', 'before', 'after'])
        .where('subject_kind', '=', kind)
        .where('subject_id', '=', String(id))
        .orderBy('id')
        .execute()
      return rows
    },
  }
}
