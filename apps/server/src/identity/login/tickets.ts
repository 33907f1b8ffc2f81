import { loginTicketLifetimeMs } from '@saddle/contract/constants.ts'
import { loginCookies } from '@saddle/contract/identity/limits.ts'
import { cookieHash, type IdentitySecrets } from '#identity/secrets.ts'
import type { Call, PresessionCall } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import { randomToken } from '#kit/crypto.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Random } from '#kit/random.ts'

type Ticket = PresessionCall['ticket']

export interface Tickets {
  /** Stores a ticket and returns the value of its cookie; set the cookie after the commit. */
  issue(tx: Tx, ticket: { phone: string; kind: Ticket['kind'] }): Promise<string>
  /** Sets the ticket cookie in the browser; scripts cannot read it. */
  setCookie(call: Call, value: string): void
  /** The unused, unexpired ticket of a `pre` cookie; null when there is none. */
  find(pre: string | undefined): Promise<Ticket | null>
  /** Uses the ticket up; false when it is used or expired. */
  spend(tx: Tx, ticketId: number): Promise<boolean>
}

export function createTickets(deps: { db: Database; clock: Clock; random: Random; secrets: IdentitySecrets }): Tickets {
  const { db, clock, random, secrets } = deps
  return {
    issue: async (tx, { phone, kind }) => {
      const nowMs = clock.now()
      const value = randomToken(random)
      await tx
        .insertInto('login_ticket')
        .values({
          pre_hash: cookieHash(value),
          kind,
          phone_hash: secrets.phoneHash(phone),
          phone_sealed: secrets.sealPhone(phone),
          created_at: new Date(nowMs),
          expires_at: new Date(nowMs + loginTicketLifetimeMs),
        })
        .execute()
      return value
    },
    setCookie: (call, value) => call.setCookie(loginCookies.presession, value, { maxAgeMs: loginTicketLifetimeMs }),
    find: async (pre) => {
      if (pre === undefined) return null
      const [row] = await db.systemRead((kysely) =>
        kysely
          .selectFrom('login_ticket')
          .select(['id', 'kind', 'phone_sealed'])
          .where('pre_hash', '=', cookieHash(pre))
          .where('used_at', 'is', null)
          .where('expires_at', '>', new Date(clock.now()))
          .compile(),
      )
      if (row === undefined || (row.kind !== 'sms' && row.kind !== 'quick')) return null
      return { id: row.id, kind: row.kind, phone: secrets.openPhone(row.phone_sealed) }
    },
    spend: async (tx, ticketId) => {
      const now = new Date(clock.now())
      const result = await tx
        .updateTable('login_ticket')
        .set({ used_at: now })
        .where('id', '=', ticketId)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    },
  }
}
