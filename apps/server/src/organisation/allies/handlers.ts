import { AppError } from '@saddle/contract/errors.ts'
import { allyFields, allyList, type Ally, type allyEndpoints } from '@saddle/contract/organisation/allies.ts'
import { sql } from 'kysely'
import type { Handlers } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { serveList } from '#kit/list/serveList.ts'
import { tableList } from '#kit/list/tableList.ts'
import { likePattern } from '#organisation/agents/rules.ts'
import type { PeopleParts } from '#organisation/people/parts.ts'
import { companyOf, scopeOf } from '#organisation/people/reach.ts'

export const allyPhonePurpose = 'ally-phone'
export const allyLookUpPurpose = 'ally-phone-hash'

const ally = rowsOf(
  rowOf('ally', 'y', ['id', 'agent_id', 'name', 'phone_sealed', 'note', 'created_at', 'created_by']),
  rowOf('agent', 'agent', ['company']),
)
type AllyRow = RowOf<typeof ally>

const allyRows = tableList(allyList, {
  table: 'ally',
  alias: 'y',
  tenant: 'agent',
  columns: ally,
  joins: sql`join agent on agent.id = y.agent_id`,
  sorts: { created: ['created_at', 'instant'], name: ['name', 'text'] },
  find: ({ keyword }, { phoneHash }: { readonly phoneHash: string | undefined }) => ({
    narrowed: [phoneHash !== undefined && sql`y.phone_hash = ${phoneHash}`],
    where: [keyword !== undefined && keyword !== '' && sql`y.name ilike ${likePattern(keyword)}`],
  }),
})

/** Franchisers, kept by phone number: it is what they are known by, so it is told in full. */
export function createAllyHandlers(parts: PeopleParts): Handlers<typeof allyEndpoints> {
  const { kit, audit, identity } = parts
  const { db, secrets, clock } = kit
  const hashOf = (phone: string): string => secrets.hmac({ purpose: allyLookUpPurpose, text: phone })
  const phoneOf = (row: AllyRow): string => secrets.decryptText({ purpose: allyPhonePurpose, sealed: row.phone_sealed })
  const allyOf = (row: AllyRow, phone: string): Ally => {
    const { phoneSealed: _sealed, ...shown } = ally.present(row)
    return { ...shown, phone }
  }
  const list = serveList(parts, allyList, {
    name: 'allies',
    rows: allyRows,
    prepare: ({ phone }) => ({ phoneHash: phone === undefined ? undefined : hashOf(phone) }),
    present: (row) => allyOf(row, phoneOf(row)),
    file: {
      action: 'ally.export',
      fields: allyFields,
      present: (row) => allyOf(row, identity.operators.masked(phoneOf(row))),
    },
  })
  return {
    listAllies: list.page,
    exportAllies: list.file,

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
          await audit.act(tx, call, { agentId: owner, ...line })
          return { id, agentId: owner, company, name, note, createdAt: at.getTime(), createdBy }
        })
        // Answers of calls with a key are kept for a while, and no number is kept in the clear.
        return { suc: true, data: { ...row, phone: identity.operators.masked(phone) } }
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
        await audit.act(tx, call, { agentId: owner, ...line })
      })
      return { suc: true, data: {} }
    },
  }
}
