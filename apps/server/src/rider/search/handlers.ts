import {
  riderStateLabels,
  type Rider,
  type RiderFilter,
  type riderPeopleEndpoints,
  type RiderSort,
} from '@saddle/contract/rider/riders.ts'
import { certificateKindLabels, certificateKinds } from '@saddle/contract/rider/certificates.ts'
import type { CsvColumns } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime } from '#kit/csv.ts'
import { known } from '#kit/known.ts'
import { plannedAnew } from '#kit/db/plannedAnew.ts'
import { readPage, readPart, type Reading } from '../parts/listing.ts'
import type { RiderParts } from '../parts/parts.ts'
import type { Riders } from '../people/riders.ts'
import { countRiders, selectRiders, type ListedRow, type RiderSearch } from './store.ts'

type Question = { readonly filter: RiderFilter; readonly sort: RiderSort; readonly direction: 'asc' | 'desc' }

/** The riders of the scope, found by any combination of conditions, shown in part, taken out as a file. */
export function createSearchHandlers(
  parts: RiderParts,
): Pick<Handlers<typeof riderPeopleEndpoints>, 'searchRiders' | 'exportRiders'> {
  const { kit, seals } = parts
  const readingOf = (call: SessionCall, { filter, sort, direction }: Question): Reading<ListedRow> => {
    const { phone, name, certNumber } = filter
    const search: Omit<RiderSearch, 'after' | 'limit'> = {
      filter,
      phoneHash: phone === undefined ? undefined : seals.phoneHash(phone),
      nameHash: name === undefined ? undefined : seals.nameHash(name),
      certHash: certNumber === undefined ? undefined : seals.certificateHash(certNumber),
      sort,
      direction,
      scope: call.scope,
    }
    return {
      rows: (at) => kit.db.read(call.scope, (k) => plannedAnew(selectRiders({ ...search, ...at }).compile(k))),
      count: async () => {
        const all = { ...search, after: null, limit: 0 }
        const [row] = await kit.db.read(call.scope, (k) => plannedAnew(countRiders(all).compile(k)))
        return row?.count ?? 0
      },
      place: (row) => ({ id: row.id, at: (sort === 'registered' ? row.created_at : row.last_active_at).getTime() }),
    }
  }
  return {
    searchRiders: async ({ cursor, pageSize, ...question }, call) => {
      const page = await readPage(readingOf(call, question), { cursor, pageSize })
      return { suc: true, data: { ...page, list: page.list.map((row) => riderOf(row, parts.riders)) } }
    },

    exportRiders: async ({ cursor, exportId, ...question }, call) => {
      const present = (row: ListedRow): Rider => riderOf(row, parts.riders)
      const file = { name: 'riders', action: 'rider.export', filter: question.filter, present, columns } as const
      const data = await readPart(parts, call, { ...file, reading: readingOf(call, question), cursor, exportId })
      return { suc: true, data }
    },
  }
}

const yesNo = (value: boolean): string => (value ? '是' : '否')
const columns: CsvColumns<Rider> = [
  ['用户编号', (row) => row.id],
  ['手机号', (row) => row.phone],
  ['姓名', (row) => row.name],
  ['加盟商', (row) => row.company],
  ['状态', (row) => riderStateLabels[row.state]],
  ['已实名', (row) => yesNo(row.certified)],
  ['专业认证', (row) => (row.certificateKind === null ? null : certificateKindLabels[row.certificateKind])],
  ['在黑名单', (row) => yesNo(row.banned)],
  ['余额(元)', (row) => row.balanceCents / 100],
  ['赠送余额(元)', (row) => row.giftCents / 100],
  ['押金(元)', (row) => row.depositCents / 100],
  ['注册时间', (row) => businessTime(row.registeredAt)],
  ['最近活跃', (row) => businessTime(row.lastActiveAt)],
]

export function riderOf(row: ListedRow, riders: Pick<Riders, 'maskedPhone' | 'maskedName'>): Rider {
  return {
    id: row.id,
    agentId: row.agent_id,
    company: row.company,
    phone: riders.maskedPhone(row),
    name: riders.maskedName(row),
    state: row.closed_at === null ? 'active' : 'closed',
    certified: row.cert_hash !== null,
    banned: row.banned,
    certificateKind: row.certificate_kind === null ? null : known(certificateKinds, row.certificate_kind),
    registeredAt: row.created_at.getTime(),
    lastActiveAt: row.last_active_at.getTime(),
    balanceCents: row.balance_cents,
    giftCents: row.gift_cents,
    depositCents: row.deposit_cents,
  }
}
