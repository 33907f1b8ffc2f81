import { watermark } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { sessionEndpoints } from '@saddle/contract/identity/session.ts'
import { sql } from 'kysely'
import type { Audit } from '#audit/public.ts'
import type { IdentitySecrets } from '#identity/secrets.ts'
import type { Handlers } from '#kit/call.ts'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { maskPhone } from './rules.ts'

const meRow = rowsOf(
  rowOf('agent', 'agent', ['company']),
  rowOf('role', 'role', ['name as roleName']).optional(),
  rowOf('session', 'session', ['created_at as createdAt', 'previous_login_at as previousLoginAt']),
  rowOfValues({
    opManId: computed('text', sql`operator.op_man_id`),
    level: computed('bigint', sql`operator.level`),
    language: computed('text', sql`operator.language`),
  }),
).codes({ language: ['zh', 'en'] })
type MeRow = RowOf<typeof meRow>

export function createSessionHandlers(deps: {
  db: Database
  secrets: IdentitySecrets
  audit: Audit
}): Handlers<typeof sessionEndpoints> {
  const { db, secrets, audit } = deps
  const read = async (sessionId: number): Promise<MeRow> => {
    const [row] = await db.systemRead((kysely) =>
      meRow.select`
        from session
        join operator on operator.id = session.operator_id
        join agent on agent.id = operator.agent_id
        left join role on role.id = operator.role_id
        where session.id = ${sessionId}`.compile(kysely),
    )
    if (row === undefined) throw new AppError('unauthorized')
    return row
  }
  return {
    allCode: async ({ opManId }, call) => {
      const { sessionId, operatorId, agentId, phone, permissions } = call.caller
      const isOwn = opManId === secrets.objectId(phone) || opManId === (await read(sessionId)).opManId
      if (!isOwn) {
        const { address, requestId } = call
        const subject = { subjectKind: 'operator', subjectId: opManId }
        const action = 'session.foreign_scope'
        await db.system((tx) => audit.write(tx, { agentId, operatorId, action, ...subject, address, requestId }))
        throw new AppError('forbidden')
      }
      return { suc: true, data: [...permissions].toSorted() }
    },
    me: async (_, call) => {
      const { sessionId, operatorId, agentId, phone, name } = call.caller
      const { level, company, roleName, createdAt, previousLoginAt, language } = await read(sessionId)
      return {
        suc: true,
        data: {
          operatorId: String(operatorId),
          name,
          phone: maskPhone(phone),
          phoneTail: phone.slice(watermark.phoneTailFrom),
          level,
          agentId,
          company,
          roleName,
          agentCount: call.grant.agentIds.length,
          areaCount: call.grant.areaIds.length,
          sessionStartedAt: createdAt.getTime(),
          previousLoginAt: previousLoginAt?.getTime() ?? null,
          language,
        },
      }
    },
  }
}
