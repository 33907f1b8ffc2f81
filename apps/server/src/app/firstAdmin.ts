import { defaultAgentId, operatorLevels } from '@saddle/contract/constants.ts'
import { permissionCodes } from '@saddle/contract/permissions.ts'
import { sql } from 'kysely'
import type { Audit } from '#audit/public.ts'
import type { Identity } from '#identity/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Organisation } from '#organisation/public.ts'

interface FirstAdminOptions {
  readonly kit: Kit
  readonly audit: Audit
  readonly identity: Identity
  readonly organisation: Organisation
}

// Any fixed number will do: it names our lock among the database's advisory locks.
const lockNumber = 7_233_361

/**
 * On a database without any tenant: the platform company, the role that holds every code, and the login of the
 * configured phone. Does nothing on any other database, however often and on however many servers it is called.
 */
export async function ensureFirstAdmin({ kit, audit, identity, organisation }: FirstAdminOptions): Promise<void> {
  const phone = kit.config.firstAdminPhone
  if (phone === undefined) return
  const isMade = await kit.db.system(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(tx)
    const known = await tx.selectFrom('agent').select('id').limit(1).executeTakeFirst()
    if (known !== undefined) return false
    const agentId = await organisation.addAgent(tx, { id: defaultAgentId, parentId: null, company: '平台' })
    const codes = permissionCodes.filter((code) => code !== 'all')
    const roleId = await organisation.addRole(tx, { agentId, name: '平台管理员', codes })
    await identity.createOperator(tx, { agentId, phone, name: '平台管理员', level: operatorLevels.admin, roleId })
    await audit.write(tx, {
      agentId,
      operatorId: null,
      action: 'platform.create',
      subjectKind: 'agent',
      subjectId: agentId,
    })
    return true
  })
  if (isMade) kit.log.info('the platform and its first administrator were made')
}
