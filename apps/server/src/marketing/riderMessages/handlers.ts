import type { riderMessageEndpoints } from '@saddle/contract/marketing/campaigns.ts'
import { sql } from 'kysely'
import { agentOfApp } from '#finance/public.ts'
import type { Handlers } from '#kit/call.ts'
import { rowOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { CouponDeps } from '../coupons/deps.ts'

/** Messages of a rider that are shown. */
const ownMax = 100
const messageRow = rowOf('rider_message', 'm', ['id', 'title', 'body', 'sent_at', 'read_at'])

/** Messages as the riders' applications see them. */
export function createRiderMessageHandlers({ kit, riders }: CouponDeps): Handlers<typeof riderMessageEndpoints> {
  return {
    riderMessages: async ({ phone, agentId }, call) => {
      const agent = agentOfApp(call, agentId)
      const [riderId] = await riders.idsByPhone(scopeOfAgent(agent), phone)
      if (riderId === undefined) return { suc: true, data: { list: [], unread: 0 } }
      const rows = await kit.db.systemRead((k) =>
        messageRow.select`
          from rider_message m where m.rider_id = ${riderId} and m.agent_id = ${agent}
          order by m.sent_at desc, m.id desc limit ${ownMax}`.compile(k),
      )
      const unread = rows.filter((row) => row.read_at === null).length
      return { suc: true, data: { list: rows.map(messageRow.present), unread } }
    },

    riderReadMessages: async ({ phone, agentId }, call) => {
      const agent = agentOfApp(call, agentId)
      const [riderId] = await riders.idsByPhone(scopeOfAgent(agent), phone)
      if (riderId === undefined) return { suc: true, data: { read: 0 } }
      const { numAffectedRows = 0n } = await kit.db.system((tx) =>
        sql`
          update rider_message set read_at = ${new Date(kit.clock.now())}
          where rider_id = ${riderId} and agent_id = ${agent} and read_at is null`.execute(tx),
      )
      return { suc: true, data: { read: Number(numAffectedRows) } }
    },
  }
}
