import type { RiderDetail, RiderDevice, riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { codeOf } from '#kit/codes.ts'
import { banOf, selectBansOf } from '../bans/store.ts'
import type { RiderParts } from '../parts/parts.ts'
import { maskIdNumber } from '../people/seals.ts'
import { certificateOf, selectCertificatesOf } from '../certificates/store.ts'
import { rebindOf, selectRebindsOf } from '../rebinds/store.ts'
import { riderOf } from '../riders/handlers.ts'
import { selectRider, type ListedRow } from '../riders/store.ts'
import { countOrders, selectDevices, selectElsewhere, selectReveals, type DeviceRow, type RevealRow } from './store.ts'

/** One rider in full. */
export function createDetailHandlers(parts: RiderParts): Pick<Handlers<typeof riderPeopleEndpoints>, 'riderDetail'> {
  return {
    riderDetail: async ({ riderId }, call) => {
      const { scope } = call
      const [row] = await parts.kit.db.read(scope, (k) => selectRider({ riderId, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: await detailOf(parts, call, row) }
    },
  }
}

async function detailOf(parts: RiderParts, { scope }: SessionCall, row: ListedRow): Promise<RiderDetail> {
  const { kit, seals, riders } = parts
  const [bans, certificates, rebinds, devices, reveals, orders, elsewhere] = await Promise.all([
    kit.db.read(scope, (k) => selectBansOf(row).compile(k)),
    kit.db.read(scope, (k) => selectCertificatesOf(row).compile(k)),
    kit.db.read(scope, (k) => selectRebindsOf(row).compile(k)),
    kit.db.read(scope, (k) => selectDevices(row).compile(k)),
    kit.db.read(scope, (k) => selectReveals(row).compile(k)),
    kit.db.read(scope, (k) => countOrders(row, scope).compile(k)),
    kit.db.read(scope, (k) => selectElsewhere(row, scope).compile(k)),
  ])
  const { cert_hash: hash, cert_sealed: sealed } = row
  const allBans = bans.map((ban) => banOf(ban, kit.clock.now()))
  return {
    rider: riderOf(row, riders),
    certNumber:
      hash === null || sealed === null
        ? null
        : maskIdNumber(seals.openIdNumber({ cert_hash: hash, cert_sealed: sealed })),
    certifiedAt: row.certified_at?.getTime() ?? null,
    closedAt: row.closed_at?.getTime() ?? null,
    frozenDepositCents: row.frozen_cents,
    orders: orders[0]?.orders ?? 0,
    dueOrders: orders[0]?.due ?? 0,
    ban: allBans.find((ban) => ban.state === 'active') ?? null,
    bans: allBans,
    certificates: certificates.map(certificateOf),
    rebinds: rebinds.map((rebind) => rebindOf(rebind, seals)),
    devices: devices.map(deviceOf),
    reveals: reveals.map(revealOf),
    elsewhere,
  }
}

const deviceOf = (row: DeviceRow): RiderDevice => ({
  id: row.id,
  appName: row.app_name,
  model: row.model,
  system: row.system,
  appVersion: row.app_version,
  firstSeenAt: row.first_seen_at.getTime(),
  lastSeenAt: row.last_seen_at.getTime(),
  others: row.others,
})

const revealOf = (row: RevealRow): RiderDetail['reveals'][number] => ({
  id: row.id,
  field: codeOf(['phone', 'certificate'], row.field),
  reason: row.reason,
  operatorName: row.operator_name,
  shownAt: row.shown_at.getTime(),
})
