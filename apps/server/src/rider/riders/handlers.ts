import { riderFields, riderList, type Rider, type riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { RiderParts } from '../parts/parts.ts'
import type { Riders } from '../people/riders.ts'
import { riderRows, type ListedRow } from './store.ts'

/** The riders of the scope, found by any combination of conditions, shown in part, taken out as a file. */
export function createSearchHandlers(
  parts: RiderParts,
): Pick<Handlers<typeof riderPeopleEndpoints>, 'searchRiders' | 'exportRiders'> {
  const { seals, riders } = parts
  const list = serveList(parts, riderList, {
    name: 'riders',
    prepare: ({ phone, name, certNumber }) => ({
      phoneHash: phone === undefined ? undefined : seals.phoneHash(phone),
      nameHash: name === undefined ? undefined : seals.nameHash(name),
      certHash: certNumber === undefined ? undefined : seals.certificateHash(certNumber),
    }),
    rows: riderRows,
    present: (row) => riderOf(row, riders),
    file: { action: 'rider.export', fields: riderFields },
  })
  return { searchRiders: list.page, exportRiders: list.file }
}

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
    certificateKind: row.certificate_kind,
    registeredAt: row.created_at.getTime(),
    lastActiveAt: row.last_active_at.getTime(),
    balanceCents: row.balance_cents,
    giftCents: row.gift_cents,
    depositCents: row.deposit_cents,
  }
}
