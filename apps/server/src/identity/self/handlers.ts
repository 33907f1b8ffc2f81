import { sessionIdleMs } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { languages, type selfEndpoints, type selfSettingsSchema } from '@saddle/contract/identity/self.ts'
import { noticeKinds } from '@saddle/contract/notices/words.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Audit } from '#audit/public.ts'
import { stateOf } from '#identity/devices/store.ts'
import { deviceName, isSecondFactorRequired } from '#identity/session/rules.ts'
import type { SessionDirectory } from '#identity/session/directory.ts'
import { endSessions, type Ending } from '#identity/session/store.ts'
import { readFinanceTotpFrom } from '#identity/totp/store.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

export interface SelfDeps {
  readonly db: Database
  readonly clock: Clock
  readonly audit: Audit
  readonly directory: SessionDirectory
}

type SelfEndpoints = Pick<
  typeof selfEndpoints,
  'selfSettings' | 'saveSelfSettings' | 'endOwnSession' | 'forgetOwnDevice'
>
type Settings = z.output<typeof selfSettingsSchema>
type Own = z.input<typeof selfEndpoints.selfSettings.output>['data']

/** The user's own page: every handler reads and writes only rows of the caller. */
export function createSelfHandlers(deps: SelfDeps): Handlers<SelfEndpoints> {
  const { db, clock, directory } = deps
  return {
    selfSettings: async (_, call) => {
      const { agentId, permissions } = call.caller
      const [own, from] = await Promise.all([readOwn(deps, call), readFinanceTotpFrom(db, agentId)])
      // A requirement that will apply to this user is announced in advance.
      const concerns = from !== null && isSecondFactorRequired({ from, codes: permissions, nowMs: from.getTime() })
      return { suc: true, data: { ...own, totp: { ...own.totp, requiredFrom: concerns ? from.getTime() : null } } }
    },

    saveSelfSettings: async ({ language, notices }, call) => {
      const { operatorId, agentId } = call.caller
      // At least one notice stays on, so that the user learns when somebody else uses the account.
      const kept: Settings['notices'] = [...new Set([...notices, 'security' as const])]
      await db.withScope(ownScope(call), async (tx) => {
        const saved = await tx
          .updateTable('operator')
          .set({ language, notices: kept })
          .where('id', '=', operatorId)
          .where('agent_id', '=', agentId)
          .executeTakeFirst()
        if (saved.numUpdatedRows !== 1n) throw new AppError('not_found')
      })
      return { suc: true, data: { language, notices: kept } }
    },

    endOwnSession: async ({ id }, call) => {
      const { operatorId, sessionId } = call.caller
      const ending: Ending = id === undefined ? { operatorId, exceptId: sessionId } : { operatorId, sessionId: id }
      const handles = await db.system(async (tx) => {
        const ended = await endSessions({ tx, ending, at: new Date(clock.now()) })
        if (ended.length > 0)
          await writeLine(deps, { tx, call, action: 'session.revoke', after: { count: ended.length } })
        return ended
      })
      if (id !== undefined && handles.length === 0) throw new AppError('not_found')
      for (const handle of handles) directory.changed(handle)
      return { suc: true, data: { ended: handles.length } }
    },

    forgetOwnDevice: async ({ id }, call) => {
      const { operatorId, sessionId } = call.caller
      const handles = await db.system(async (tx) => {
        const device = await tx
          .selectFrom('operator_device')
          .leftJoin('session', (join) =>
            join.onRef('session.device_id', '=', 'operator_device.id').on('session.id', '=', sessionId),
          )
          .select(['operator_device.user_agent as userAgent', 'session.id as here'])
          .where('operator_device.id', '=', id)
          .where('operator_device.operator_id', '=', operatorId)
          .executeTakeFirst()
        if (device === undefined) throw new AppError('not_found')
        if (device.here !== null) throw new AppError('device_own')
        const ended = await endSessions({ tx, ending: { deviceIds: [id] }, at: new Date(clock.now()) })
        await tx.deleteFrom('operator_device').where('id', '=', id).where('operator_id', '=', operatorId).execute()
        const after = { browser: deviceName(device.userAgent), sessions: ended.length }
        await writeLine(deps, { tx, call, action: 'device.forget', after })
        return ended
      })
      for (const handle of handles) directory.changed(handle)
      return { suc: true, data: {} }
    },
  }
}

const ownScope = ({ caller }: SessionCall): Scope => ({
  agentIds: [caller.agentId],
  areaIds: [],
  operatorId: caller.operatorId,
})

const ownRow = rowsOf(
  rowOf('operator', 'operator', ['language', 'notices', 'totp_enabled_at as totpEnabledAt']).codes({
    language: languages,
  }),
  rowOfValues({
    recoveryCodesLeft: computed(
      'bigint',
      sql`(select count(*) from operator_recovery_code code
          where code.operator_id = operator.id and code.used_at is null)`,
    ),
  }),
)
const sessionLineRow = rowOf('session', [
  'id',
  'user_agent as userAgent',
  'address',
  'login_kind as loginKind',
  'created_at as createdAt',
  'last_seen_at as lastSeenAt',
  'device_id as deviceId',
])
const deviceLineRow = rowOf('operator_device', [
  'id',
  'user_agent as userAgent',
  'approved',
  'requested_at as requestedAt',
  'last_seen_at as lastSeenAt',
])

/** Settings, live sessions, browsers and second factor of the caller. */
async function readOwn({ db, clock }: SelfDeps, call: SessionCall): Promise<Own> {
  const { operatorId, sessionId } = call.caller
  const nowMs = clock.now()
  const read = async (tx: Tx) => {
    const { rows: people } = await ownRow.select`
      from operator where operator.id = ${operatorId}`.execute(tx)
    const { rows: sessions } = await sessionLineRow.select`
      from session where operator_id = ${operatorId} and screen_id is null and revoked_at is null and expires_at > ${new Date(nowMs)}
        and last_seen_at > ${new Date(nowMs - sessionIdleMs)}
      order by last_seen_at desc, id desc`.execute(tx)
    const { rows: devices } = await deviceLineRow.select`
      from operator_device where operator_id = ${operatorId} order by last_seen_at desc, id desc`.execute(tx)
    return { person: people[0], sessions, devices }
  }
  const { person, sessions, devices } = await db.system(read)
  if (person === undefined) throw new AppError('unauthorized')
  const here = sessions.find((session) => session.id === sessionId)
  return {
    // Rows may hold kinds that this version does not know.
    settings: { language: person.language, notices: noticeKinds.filter((kind) => person.notices.includes(kind)) },
    sessions: sessions.map(({ id, userAgent, address, loginKind, createdAt, lastSeenAt }) => ({
      id,
      device: deviceName(userAgent),
      address,
      loginKind,
      createdAt: createdAt.getTime(),
      lastSeenAt: lastSeenAt.getTime(),
      isThis: id === sessionId,
    })),
    devices: devices.map((device) => ({
      id: device.id,
      name: deviceName(device.userAgent),
      state: stateOf(device),
      lastSeenAt: device.lastSeenAt.getTime(),
      isThis: device.id === here?.deviceId,
    })),
    totp: {
      enabledAt: person.totpEnabledAt?.getTime() ?? null,
      requiredFrom: null,
      recoveryCodesLeft: person.recoveryCodesLeft,
    },
  }
}

function writeLine(
  { audit }: SelfDeps,
  options: { tx: Tx; call: SessionCall; action: string; after: Record<string, unknown> },
): Promise<void> {
  const { tx, call, action, after } = options
  const { operatorId, agentId } = call.caller
  const { address, requestId } = call
  const subject = { subjectKind: 'operator', subjectId: operatorId }
  return audit.write(tx, { agentId, operatorId, action, ...subject, after, address, requestId })
}
