import { AppError } from '@saddle/contract/errors.ts'
import {
  approvableDays,
  operatorDeviceFields,
  operatorDeviceList,
  type OperatorDevice,
  type operatorDeviceEndpoints,
} from '@saddle/contract/identity/devices.ts'
import { devicePolicySchema, type DevicePolicy } from '@saddle/contract/organisation/companies.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import { findOperatorByPhone } from '#identity/operator/store.ts'
import { deviceHashOf } from '#identity/login/open.ts'
import type { IdentitySecrets } from '#identity/secrets.ts'
import { deviceName, maskPhone } from '#identity/session/rules.ts'
import type { SessionDirectory } from '#identity/session/directory.ts'
import { endSessions } from '#identity/session/store.ts'
import type { Handlers, PresessionCall, SessionCall } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Random } from '#kit/random.ts'
import { createLimiter } from '#kit/limits.ts'
import { guardedFile } from '#kit/list/listFile.ts'
import { serveList } from '#kit/list/serveList.ts'
import {
  approveRecent,
  countUnapproved,
  decideDevices,
  deviceRow,
  deviceRows,
  devicesOf,
  type DeviceRow,
  readSessionDevice,
  stateOf,
} from './store.ts'

export interface DeviceDeps {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly secrets: IdentitySecrets
  readonly audit: Audit
  readonly directory: SessionDirectory
}

/** Approval requests of one user per hour. */
const requestsPerHour = 10
const requestersRemembered = 20_000

/** Administration of the browsers that users may log in with (specification, sections 7 and 8). */
export function createDeviceHandlers(deps: DeviceDeps): Handlers<typeof operatorDeviceEndpoints> {
  const { db, clock, secrets } = deps
  const requests = createLimiter({
    limit: requestsPerHour,
    windowMs: hourMs,
    maxKeys: requestersRemembered,
    clock,
  })
  const list = serveList({ kit: deps, audit: deps.audit }, operatorDeviceList, {
    name: 'login-devices',
    rows: deviceRows,
    // Whether it is the browser of the call is known behind the list.
    present: (row) => deviceOf({ row, secrets, own: null }),
    scope: administered,
    file: { action: 'device.export', fields: operatorDeviceFields },
  })
  return {
    verifyDevice: (_, call) => verifyDevice(deps, call, (operatorId) => requests.take(operatorId).allowed),

    devicePermission: async ({ agentId, policy, approveRecentDays }, call) => {
      const scope = administered(call)
      if (!scope.agentIds.includes(agentId)) throw new AppError('not_found')
      const sessionDeviceId = await readSessionDevice(db, call.caller.sessionId)
      const nowMs = clock.now()
      const approved = await db.withScope(scope, async (tx) => {
        const before = await readPolicy(tx, agentId)
        await tx.updateTable('agent').set({ device_policy: policy }).where('id', '=', agentId).execute()
        const since = approveRecentDays === 0 ? null : new Date(nowMs - approveRecentDays * dayMs)
        const at = new Date(nowMs)
        const recent = { agentId, since, sessionDeviceId, by: call.caller.name, at }
        const count = policy === 'approval' ? await approveRecent(tx, recent) : 0
        await deps.audit.act(tx, call, {
          agentId,
          action: 'device.policy',
          subjectKind: 'agent',
          subjectId: agentId,
          before: { policy: before },
          after: { policy, approved: count },
        })
        return count
      })
      return { suc: true, data: { policy, approved } }
    },

    devicePolicyEffect: async ({ agentId }, call) => ({ suc: true, data: await policyEffect(deps, call, agentId) }),

    deviceLoginInfo: async ({ operatorId }, call) => {
      const scope = administered(call)
      const own = await readSessionDevice(db, call.caller.sessionId)
      const found = await db.withScope(scope, async (tx) => {
        const operator = await tx
          .selectFrom('operator')
          .select('agent_id')
          .where('id', '=', operatorId)
          .where('agent_id', 'in', idsOf(scope))
          .executeTakeFirst()
        if (operator === undefined) return null
        const { rows } = await devicesOf({ agentIds: scope.agentIds, operatorId }).execute(tx)
        return { policy: await readPolicy(tx, operator.agent_id), rows }
      })
      if (found === null) throw new AppError('not_found')
      const list = found.rows.map((row) => deviceOf({ row, secrets, own }))
      return { suc: true, data: { policy: found.policy, list } }
    },

    deviceAuthorizeInfo: async (question, call) => {
      assertReached(question, call)
      const [answer, own] = await Promise.all([list.page(question, call), readSessionDevice(db, call.caller.sessionId)])
      const rows = answer.data.list.map((row) => Object.assign(row, { isThis: row.id === own }))
      return { suc: true, data: { ...answer.data, list: rows } }
    },

    exportOperatorDevices: guardedFile(list.file, assertReached),

    deviceAuthorizeConfirm: async ({ ids }, call) => {
      const confirmedIds = await decide(deps, { ids, call, approved: true })
      return { suc: true, data: { confirmedIds } }
    },

    deviceAuthorizeRemove: async ({ ids }, call) => {
      const own = await readSessionDevice(db, call.caller.sessionId)
      if (own !== null && ids.includes(own)) throw new AppError('device_own')
      const removedIds = await decide(deps, { ids, call, approved: false })
      return { suc: true, data: { removedIds } }
    },
  }
}

/** Whom the policy would keep out of a company, and how many of them it may let in. */
async function policyEffect({ db, clock }: DeviceDeps, call: SessionCall, agentId: number) {
  const scope = administered(call)
  if (!scope.agentIds.includes(agentId)) throw new AppError('not_found')
  const nowMs = clock.now()
  const countOf = async (days: number | null) => {
    const since = days === null ? null : new Date(nowMs - days * dayMs)
    const [row] = await db.read(scope, (kysely) => countUnapproved({ agentId, since }).compile(kysely))
    return row ?? { devices: 0, people: 0 }
  }
  const recent = approvableDays
    .filter((days) => days > 0)
    .map(async (days) => {
      const { devices, people } = await countOf(days)
      return { days, devices, people }
    })
  const [all, ...found] = await Promise.all([countOf(null), ...recent])
  return { devices: all.devices, people: all.people, recent: found }
}

/** The companies whose users the caller administers: the own company with one permission, sub-franchisees with another. */
function administered(call: SessionCall): Scope {
  const { agentId: own, permissions } = call.caller
  const agentIds = call.scope.agentIds.filter((id) => permissions.has(id === own ? '1002' : '1101'))
  return { ...call.scope, agentIds }
}

/** Nobody names a company whose users they do not administer. */
function assertReached(
  { filter }: { readonly filter: { readonly agentIds?: readonly number[] | undefined } },
  call: SessionCall,
): void {
  const reached = new Set(administered(call).agentIds)
  if (filter.agentIds?.some((id) => !reached.has(id)) === true) throw new AppError('not_found')
}

const idsOf = ({ agentIds }: Scope): readonly number[] => (agentIds.length === 0 ? [0] : agentIds)

/** Requests approval if it is needed: once, for the phone number whose code was correct. */
async function verifyDevice(
  deps: DeviceDeps,
  call: PresessionCall,
  mayAsk: (operatorId: string) => boolean,
): Promise<{ suc: true; data: { policy: DevicePolicy; state: OperatorDevice['state'] } }> {
  const { db, clock, secrets } = deps
  const data = await db.system(async (tx) => {
    const operator = await findOperatorByPhone(tx, secrets.phoneHash(call.ticket.phone))
    // A number without operator gets the answer of a company without the policy; the login rejects it later.
    if (operator === null) return { policy: 'open', state: 'unknown' } as const
    const policy = await readPolicy(tx, operator.agentId)
    const device = await tx
      .selectFrom('operator_device')
      .select(['id', 'approved', 'requested_at as requestedAt', 'name', 'user_agent as userAgent'])
      .where('operator_id', '=', operator.id)
      .where('device_hash', '=', deviceHashOf(call) ?? '')
      .executeTakeFirst()
    if (device === undefined) return { policy, state: 'unknown' } as const
    const state = stateOf(device)
    if (policy === 'open' || state !== 'unknown') return { policy, state }
    if (!mayAsk(String(operator.id))) throw new AppError('too_many_requests')
    const at = new Date(clock.now())
    await tx
      .updateTable('operator_device')
      .set({ requested_at: at, decided_at: null, decided_by: null })
      .where('id', '=', device.id)
      .execute()
    await deps.audit.write(tx, {
      agentId: operator.agentId,
      operatorId: operator.id,
      action: 'device.request',
      subjectKind: 'operator_device',
      subjectId: device.id,
      after: { browser: deviceName(device.userAgent) },
      address: call.address,
      requestId: call.requestId,
    })
    return { policy, state: 'requested' } as const
  })
  return { suc: true, data }
}

/** Approves or revokes devices in one transaction with the audit records; sessions of revoked devices end. */
async function decide(
  deps: DeviceDeps,
  options: { ids: readonly number[]; call: SessionCall; approved: boolean },
): Promise<number[]> {
  const { db, clock, directory } = deps
  const { ids, call, approved } = options
  const scope = administered(call)
  const at = new Date(clock.now())
  const decision = { ids, agentIds: scope.agentIds, by: call.caller.name, at, approved }
  const decided = await db.withScope(scope, async (tx) => {
    const devices = await decideDevices(tx, decision)
    for (const device of devices ?? []) {
      await deps.audit.act(tx, call, {
        agentId: device.agentId,
        action: approved ? 'device.approve' : 'device.remove',
        subjectKind: 'operator_device',
        subjectId: device.id,
        after: { operatorId: device.operatorId },
      })
    }
    return devices
  })
  if (decided === null) throw new AppError('not_found')
  const deviceIds = decided.map((device) => device.id)
  // Request transactions cannot write sessions. If the server crashes here, the browser still cannot log in again.
  if (!approved) {
    const handles = await db.system((tx) => endSessions({ tx, ending: { deviceIds }, at }))
    for (const handle of handles) directory.changed(handle)
  }
  return deviceIds
}

async function readPolicy(tx: Tx, agentId: number): Promise<DevicePolicy> {
  const row = await tx.selectFrom('agent').select('device_policy').where('id', '=', agentId).executeTakeFirst()
  return devicePolicySchema.parse(row?.device_policy)
}

function deviceOf(options: { row: DeviceRow; secrets: IdentitySecrets; own: number | null }): OperatorDevice {
  const { row, secrets, own } = options
  const { phoneSealed, ...shown } = deviceRow.present(row)
  return {
    ...shown,
    phone: maskPhone(secrets.openPhone(phoneSealed)),
    name: deviceName(row.user_agent),
    isThis: row.id === own,
  }
}
