import { operatorLevels, type OperatorLevel } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Permission } from '@saddle/contract/permissions.ts'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { createAudit } from '#audit/public.ts'
import { createFinance } from '#finance/public.ts'
import { createIdentity } from '#identity/public.ts'
import type { SessionCall } from '#kit/call.ts'
import { insertTestTenants } from '#organisation/organisation.fixture.ts'
import { createOrganisation, createPeople } from '#organisation/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'

const { admin, operator, maintenance } = operatorLevels
const managing: readonly Permission[] = ['10', '1001', '1002', '11', '1101', '1102', '03', '0301', '0302']

/** The platform (2) and franchisees 3 and 4 below it, each with roles and people; every handler of people and roles. */
export async function createPeopleWorld() {
  const { db, owner } = await testDatabase()
  const kit = testKit(db)
  const audit = createAudit(kit)
  const identity = await createIdentity(kit, { audit })
  afterAll(() => identity.close())
  await insertTestTenants(owner)
  const organisation = createOrganisation(kit)
  const finance = createFinance(kit)
  const { handlers } = createPeople({ kit, audit, finance, identity })
  let phones = 0

  const addRole = (agentId: number, name: string, codes: readonly Permission[]) =>
    db.system((tx) => organisation.addRole(tx, { agentId, name, codes }))
  const addPerson = (
    agentId: number,
    roleId: number | null,
    given: { level?: OperatorLevel; name?: string; areaIds?: number[]; phone?: string } = {},
  ) => {
    phones += 1
    const { level = operator, name = `人${phones}`, phone = `139${String(phones).padStart(8, '0')}`, areaIds } = given
    const held = areaIds === undefined ? {} : { areaIds }
    return db.system((tx) => identity.createOperator(tx, { agentId, phone, name, level, roleId, ...held }))
  }
  const roles = {
    platform: await addRole(2, '平台管理员', managing),
    manager: await addRole(3, '经理', managing),
    clerk: await addRole(3, '人事', ['10', '1001', '1002']),
    rider: await addRole(3, '运维', ['03', '0301']),
    other: await addRole(4, '乙经理', managing),
  }
  const people = {
    root: await addPerson(2, roles.platform, { level: admin, name: '林' }),
    manager: await addPerson(3, roles.manager, { level: admin, name: '周' }),
    clerk: await addPerson(3, roles.clerk, { name: '吴' }),
    worker: await addPerson(3, roles.rider, { level: maintenance, name: '郑', areaIds: [31] }),
    other: await addPerson(4, roles.other, { level: admin, name: '王' }),
  }
  const call = (operatorId: number, agentId: number, agentIds: number[], areaIds: number[]): SessionCall =>
    sessionCall({ operatorId, agentId, grant: { agentIds, areaIds }, name: '测试员' })
  const calls = {
    root: call(people.root, 2, [2, 3, 4], [31, 32, 41]),
    manager: call(people.manager, 3, [3], [31, 32]),
    clerk: call(people.clerk, 3, [3], [31, 32]),
    worker: call(people.worker, 3, [3], [31]),
    other: call(people.other, 4, [4], [41]),
  }
  const lines = async (action: string) =>
    (
      await sql<{ subject_id: string; agent_id: number; before: unknown; after: unknown }>`
      select subject_id, agent_id, before, after from audit_record where action = ${action} order by id`.execute(owner)
    ).rows
  return { db, owner, kit, identity, handlers, roles, people, calls, call, addRole, addPerson, lines, managing }
}

/** The code that a call is refused with; fails the test when it is not refused. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  throw new Error('the call was not refused')
}
