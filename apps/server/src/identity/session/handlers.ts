import { watermark } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { sessionEndpoints } from '@saddle/contract/identity/session.ts'
import { sql } from 'kysely'
import type { Audit } from '#audit/public.ts'
import type { IdentitySecrets } from '#identity/secrets.ts'
import type { Handlers } from '#kit/call.ts'
import type { Database } from '#kit/db/pool.ts'
import { maskPhone } from './rules.ts'

interface MeRow {
  readonly opManId: string
  readonly level: number
  readonly company: string
  readonly roleName: string | null
  readonly createdAt: Date
  readonly previousLoginAt: Date | null
  readonly language: 'zh' | 'en'
}

export function createSessionHandlers(deps: {
  db: Database
  secrets: IdentitySecrets
  audit: Audit
}): Handlers<typeof sessionEndpoints> {
  const { db, secrets, audit } = deps
  const read = async (sessionId: number): Promise<MeRow> => {
    const [row] = await db.systemRead((kysely) =>
      sql<MeRow>`
        select operator.op_man_id as "opManId", operator.level, operator.language, agent.company, role.name as "roleName",
          session.created_at as "createdAt", session.previous_login_at as "previousLoginAt"
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
