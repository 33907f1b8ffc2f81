import { banFields, banList, type banEndpoints } from '@saddle/contract/rider/bans.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { RiderParts } from '../parts/parts.ts'
import { banOf, banRows, insertBan, liftBan, lockRiders } from './store.ts'

/** Who may not ride, and why. */
export function createBanHandlers(parts: RiderParts): Handlers<typeof banEndpoints> {
  const { kit, audit, riders } = parts
  const list = serveList(parts, banList, {
    name: 'bans',
    prepare: async (filter, { scope }) => ({ riderIds: await riders.idsOf(scope, filter) }),
    rows: banRows,
    present: (row) => ({
      ...banOf(row, kit.clock.now()),
      company: row.company,
      phone: riders.maskedPhone(row),
      name: riders.maskedName(row),
    }),
    file: { action: 'rider.export_bans', fields: banFields },
  })
  const recordOf = (rider: { readonly id: number; readonly agent_id: number }) => ({
    agentId: rider.agent_id,
    subjectKind: 'rider',
    subjectId: rider.id,
  })
  return {
    listBans: list.page,
    exportBans: list.file,

    banRiders: async ({ riderIds, phone, reason, until }, call) => {
      const { scope, caller } = call
      const at = new Date(kit.clock.now())
      if (until !== undefined && until <= at.getTime()) {
        throw new AppError('bad_request', { values: { detail: '期限已过' } })
      }
      const wanted = riderIds ?? (phone === undefined ? [] : await riders.idsByPhone(scope, phone))
      return kit.db.withScope(scope, async (tx) => {
        const found = await lockRiders(tx, { riderIds: wanted, scope })
        if (found.length === 0) throw new AppError('not_found')
        const banned: number[] = []
        for (const rider of found) {
          const term = until === undefined ? null : new Date(until)
          const by = { operatorId: caller.operatorId, operatorName: caller.name }
          if (!(await insertBan(tx, { rider, reason, at, until: term, ...by }))) continue
          banned.push(rider.id)
          const after = { reason, until: until ?? null }
          await audit.act(tx, call, { ...recordOf(rider), action: 'rider.ban', after })
        }
        return { suc: true, data: { banned } }
      })
    },

    liftBans: async ({ riderIds, reason }, call) => {
      const { scope, caller } = call
      const at = new Date(kit.clock.now())
      return kit.db.withScope(scope, async (tx) => {
        const found = await lockRiders(tx, { riderIds, scope })
        if (found.length === 0) throw new AppError('not_found')
        const lifted = []
        for (const rider of found) {
          const by = { operatorId: caller.operatorId, operatorName: caller.name }
          const ban = await liftBan(tx, { rider, at, reason, ...by })
          if (ban === undefined) continue
          lifted.push(banOf(ban, at.getTime()))
          const before = { reason: ban.reason, until: ban.until?.getTime() ?? null }
          await audit.act(tx, call, { ...recordOf(rider), action: 'rider.lift_ban', before, after: { reason } })
        }
        return { suc: true, data: { lifted } }
      })
    },
  }
}
