import { banStateLabels, type banEndpoints, type BanFilter, type ListedBan } from '@saddle/contract/rider/bans.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { CsvColumns } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime } from '#kit/csv.ts'
import { readPage, readPart, timedReading } from '../parts/listing.ts'
import type { RiderParts } from '../parts/parts.ts'
import { banOf, countBans, insertBan, liftBan, lockRiders, selectBans, type ListedBanRow } from './store.ts'

/** Who may not ride, and why. */
export function createBanHandlers(parts: RiderParts): Handlers<typeof banEndpoints> {
  const { kit, audit, riders } = parts
  const present = (row: ListedBanRow): ListedBan => ({
    ...banOf(row, kit.clock.now()),
    company: row.company,
    phone: riders.maskedPhone(row),
    name: riders.maskedName(row),
  })
  const readingOf = (call: SessionCall, asked: { filter: BanFilter; direction: 'asc' | 'desc' }) =>
    timedReading(parts, call, { ...asked, select: selectBans, count: countBans, at: (row) => row.begun_at })
  const lineOf = (call: SessionCall, agentId: number, riderId: number) => ({
    agentId,
    operatorId: call.caller.operatorId,
    subjectKind: 'rider',
    subjectId: riderId,
    address: call.address,
    requestId: call.requestId,
  })
  return {
    listBans: async ({ cursor, pageSize, ...asked }, call) => {
      const page = await readPage(await readingOf(call, asked), { cursor, pageSize })
      return { suc: true, data: { ...page, list: page.list.map(present) } }
    },

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
          await audit.write(tx, { ...lineOf(call, rider.agent_id, rider.id), action: 'rider.ban', after })
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
          await audit.write(tx, {
            ...lineOf(call, rider.agent_id, rider.id),
            action: 'rider.lift_ban',
            before,
            after: { reason },
          })
        }
        return { suc: true, data: { lifted } }
      })
    },

    exportBans: async ({ cursor, exportId, ...asked }, call) => {
      const file = { name: 'blacklist', action: 'rider.export_bans', filter: asked.filter, present, columns } as const
      const data = await readPart(parts, call, { ...file, reading: await readingOf(call, asked), cursor, exportId })
      return { suc: true, data }
    },
  }
}

const columns: CsvColumns<ListedBan> = [
  ['用户编号', (row) => row.riderId],
  ['手机号', (row) => row.phone],
  ['姓名', (row) => row.name],
  ['加盟商', (row) => row.company],
  ['原因', (row) => row.reason],
  ['开始时间', (row) => businessTime(row.begunAt)],
  ['到期时间', (row) => (row.until === null ? '永久' : businessTime(row.until))],
  ['操作人', (row) => row.by],
  ['状态', (row) => banStateLabels[row.state]],
  ['解除时间', (row) => businessTime(row.liftedAt)],
  ['解除人', (row) => row.liftedBy],
]
