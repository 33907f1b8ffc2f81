import { phonePattern } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Ally, allyEndpoints } from '@saddle/contract/organisation/people.ts'
import { sql } from 'kysely'
import type { Handlers } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import { likePattern } from '#organisation/agents/rules.ts'
import type { PeopleParts } from './parts.ts'
import { actOf, companyOf, scopeOf } from './reach.ts'

export const allyPhonePurpose = 'ally-phone'
export const allyLookUpPurpose = 'ally-phone-hash'

interface AllyRow {
  readonly id: number
  readonly agentId: number
  readonly company: string
  readonly name: string
  readonly phoneSealed: string
  readonly note: string
  readonly createdAt: Date
  readonly createdBy: string
}

/** Franchisers, kept by phone number: it is what they are known by, so it is told in full. */
export function createAllyHandlers(parts: PeopleParts): Handlers<typeof allyEndpoints> {
  const { kit, audit, identity } = parts
  const { db, secrets, clock } = kit
  const hashOf = (phone: string): string => secrets.hmac({ purpose: allyLookUpPurpose, text: phone })
  const allyOf = ({ phoneSealed, createdAt, ...row }: AllyRow): Ally => ({
    ...row,
    phone: secrets.decryptText({ purpose: allyPhonePurpose, sealed: phoneSealed }),
    createdAt: createdAt.getTime(),
  })
  return {
    listAllies: async ({ page, pageSize, keyword = '' }, call) => {
      const { agentIds, ...rest } = scopeOf(call, 'both')
      const isPhone = phonePattern.test(keyword)
      const wanted = isPhone ? sql`y.phone_hash = ${hashOf(keyword)}` : sql`y.name ilike ${likePattern(keyword)}`
      const from = sql`from ally y join agent on agent.id = y.agent_id
        where y.agent_id = any (${agentIds}::bigint[]) and ${wanted}`
      const [rows, [counted]] = await Promise.all([
        db.read({ agentIds, ...rest }, (k) =>
          sql<AllyRow>`
            select y.id, y.agent_id as "agentId", agent.company, y.name, y.phone_sealed as "phoneSealed", y.note,
              y.created_at as "createdAt", y.created_by as "createdBy"
            ${from} order by y.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.compile(k),
        ),
        db.read({ agentIds, ...rest }, (k) => sql<{ count: number }>`select count(*) as count ${from}`.compile(k)),
      ])
      return { suc: true, data: { list: rows.map(allyOf), count: counted?.count ?? 0 } }
    },

    createAlly: async ({ agentId = 0, phone, name, note }, call) => {
      const owner = agentId === 0 ? call.caller.agentId : agentId
      companyOf(call, owner === call.caller.agentId ? 'own' : 'below', owner)
      const at = new Date(clock.now())
      const phoneSealed = secrets.encryptText({ purpose: allyPhonePurpose, text: phone })
      const createdBy = call.caller.name.slice(0, 40)
      try {
        const row = await db.withScope(scopeOf(call, 'both'), async (tx) => {
          const { id } = await tx
            .insertInto('ally')
            .values({
              agent_id: owner,
              name,
              note,
              phone_sealed: phoneSealed,
              phone_hash: hashOf(phone),
              created_at: at,
              created_by: createdBy,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
          const { company } = await tx
            .selectFrom('agent')
            .select('company')
            .where('id', '=', owner)
            .executeTakeFirstOrThrow()
          const after = { name, phone: identity.operators.masked(phone), note }
          const line = { action: 'ally.create', subjectKind: 'ally', subjectId: id, after }
          await audit.write(tx, { ...actOf(call), agentId: owner, ...line })
          return { id, agentId: owner, company, name, phoneSealed, note, createdAt: at, createdBy }
        })
        // Answers of calls with a key are kept for a while, and no number is kept in the clear.
        return { suc: true, data: { ...allyOf(row), phone: identity.operators.masked(phone) } }
      } catch (error) {
        if (isTaken(error)) throw new AppError('phone_taken', { cause: error })
        throw error
      }
    },

    removeAlly: async ({ phone, agentId = 0 }, call) => {
      const owner = agentId === 0 ? call.caller.agentId : agentId
      companyOf(call, owner === call.caller.agentId ? 'own' : 'below', owner)
      await db.withScope(scopeOf(call, 'both'), async (tx) => {
        const gone = await tx
          .deleteFrom('ally')
          .where('agent_id', '=', owner)
          .where('phone_hash', '=', hashOf(phone))
          .returning(['id', 'name', 'note'])
          .executeTakeFirst()
        if (gone === undefined) throw new AppError('not_found')
        const before = { name: gone.name, phone: identity.operators.masked(phone), note: gone.note }
        const line = { action: 'ally.remove', subjectKind: 'ally', subjectId: gone.id, before }
        await audit.write(tx, { ...actOf(call), agentId: owner, ...line })
      })
      return { suc: true, data: {} }
    },
  }
}
