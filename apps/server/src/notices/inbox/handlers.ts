import { AppError } from '@saddle/contract/errors.ts'
import { noticeEvent, noticeEventNames } from '@saddle/contract/notices/events.ts'
import {
  addressLimits,
  ownNoticeFields,
  ownNoticeList,
  type inboxEndpoints,
  type OwnNoticeFilter,
} from '@saddle/contract/notices/inbox.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import { tableList } from '#kit/list/tableList.ts'
import type { Channels } from '../channels/channel.ts'
import { emailPurpose, pendingPurpose } from '../keyed.ts'

export interface InboxDeps {
  readonly kit: Kit
  readonly audit: Audit
  readonly channels: Channels
}

const shown = rowOf('notice_delivery', 'd', [
  'id',
  'event',
  'title',
  'body',
  'path',
  'created_at as at',
  'read_at',
]).codes({
  event: noticeEventNames,
})

const ownRows = tableList(ownNoticeList, {
  table: 'notice_delivery',
  alias: 'd',
  tenant: (scope) => sql`d.operator_id = ${scope.operatorId} and d.channel = 'in_app'`,
  columns: shown,
  sorts: { at: ['created_at', 'instant'] },
  find: ({ keyword, kinds, unread }: OwnNoticeFilter) => ({
    where: [
      keyword !== undefined && sql`position(lower(${keyword}) in lower(d.title || ' ' || d.body)) > 0`,
      kinds &&
        sql`d.event = any (${noticeEventNames.filter((event) => kinds.includes(noticeEvent(event).kind))}::text[])`,
      unread === true && sql`d.read_at is null`,
      unread === false && sql`d.read_at is not null`,
    ],
  }),
})

/** Own things do not depend on what the header selects. */
const ownScope = ({ caller }: SessionCall): Scope => ({
  agentIds: [caller.agentId],
  areaIds: [],
  operatorId: caller.operatorId,
})

const readRow = rowOf('notice_delivery', 'd', ['id'])

export function createInboxHandlers(deps: InboxDeps): Handlers<typeof inboxEndpoints> {
  const { kit, audit } = deps
  const { db, clock } = kit
  const list = serveList({ kit, audit }, ownNoticeList, {
    name: 'own-notices',
    rows: ownRows,
    scope: ownScope,
    present: (row) => shown.present(row),
    file: { action: 'notice.own_export', fields: ownNoticeFields },
  })
  return {
    listOwnNotices: list.page,
    exportOwnNotices: list.file,

    countOwnNotices: async (_, call) => {
      const { operatorId } = call.caller
      const [row] = await db.read(ownScope(call), (k) =>
        countRow.select`
          from notice_delivery d where d.operator_id = ${operatorId} and d.channel = 'in_app' and d.read_at is null`.compile(
          k,
        ),
      )
      return { suc: true, data: { unread: row?.count ?? 0 } }
    },

    readOwnNotices: async ({ ids }, call) => {
      const { operatorId } = call.caller
      const named = ids === undefined ? sql`true` : sql`d.id = any (${ids}::bigint[])`
      const read = await db.withScope(ownScope(call), async (tx) => {
        const { rows } = await readRow.returning`
          update notice_delivery d set read_at = ${new Date(clock.now())}
          where d.operator_id = ${operatorId} and d.channel = 'in_app' and d.read_at is null and ${named}`.execute(tx)
        return rows.length
      })
      return { suc: true, data: { read } }
    },

    ...createAddressHandlers(deps),
  }
}

const addressRow = rowOf('notice_address', 'a', ['email_sealed', 'pending_sealed', 'guesses', 'asked_at'])
const pendingSchema = z.object({ email: z.string(), code: z.string(), until: z.number() })

type AddressHandlers = Pick<
  Handlers<typeof inboxEndpoints>,
  'ownNoticeAddress' | 'askNoticeAddress' | 'confirmNoticeAddress' | 'removeNoticeAddress'
>

function createAddressHandlers({ kit, audit, channels }: InboxDeps): AddressHandlers {
  const { db, clock, random, secrets } = kit
  const seal = (purpose: string, call: SessionCall, text: string): string =>
    secrets.encryptText({ purpose, text, context: String(call.caller.operatorId) })
  const open = (purpose: string, call: SessionCall, sealed: string | null | undefined): string | null =>
    sealed === null || sealed === undefined
      ? null
      : secrets.decryptText({ purpose, sealed, context: String(call.caller.operatorId) })
  const find = async (tx: Tx, call: SessionCall) => {
    const { operatorId } = call.caller
    const { rows } = await addressRow.select`
      from notice_address a where a.operator_id = ${operatorId} for update`.execute(tx)
    return rows[0]
  }
  const pendingOf = (call: SessionCall, sealed: string | null | undefined) => {
    const text = open(pendingPurpose, call, sealed)
    return text === null ? null : pendingSchema.parse(JSON.parse(text))
  }
  const answer = async (call: SessionCall) => {
    const row = await db.withScope(ownScope(call), (tx) => find(tx, call))
    const email = open(emailPurpose, call, row?.email_sealed)
    const pending = pendingOf(call, row?.pending_sealed)
    const isOpen = pending !== null && pending.until > clock.now()
    return {
      suc: true as const,
      data: { email: email === null ? null : masked(email), pending: isOpen ? masked(pending.email) : null },
    }
  }
  const note = (tx: Tx, call: SessionCall, { action }: { readonly action: string }): Promise<void> => {
    const { agentId, operatorId } = call.caller
    return audit.act(tx, call, { agentId, action, subjectKind: 'operator', subjectId: operatorId })
  }

  return {
    ownNoticeAddress: (_, call) => answer(call),

    askNoticeAddress: async ({ email }, call) => {
      const { operatorId, agentId } = call.caller
      const now = clock.now()
      if (channels.email.state === 'off') throw new AppError('mail_off')
      const code = String(Buffer.from(random.bytes(4)).readUInt32BE() % 1_000_000).padStart(6, '0')
      const pending = { email, code, until: now + addressLimits.codeTtlMs }
      await db.withScope(ownScope(call), async (tx) => {
        const row = await find(tx, call)
        if (row !== undefined && now - row.asked_at.getTime() < addressLimits.againMs)
          throw new AppError('too_many_requests')
        const sealed = seal(pendingPurpose, call, JSON.stringify(pending))
        await sql`
          insert into notice_address (operator_id, agent_id, pending_sealed, asked_at)
          values (${operatorId}, ${agentId}, ${sealed}, ${new Date(now)})
          on conflict (operator_id) do update set pending_sealed = excluded.pending_sealed, guesses = 0,
            asked_at = excluded.asked_at`.execute(tx)
      })
      await sendCode(channels, { id: `address-${operatorId}-${now}`, email, code, now })
      return answer(call)
    },

    confirmNoticeAddress: async ({ code }, call) => {
      const now = new Date(clock.now())
      const isRight = await db.withScope(ownScope(call), async (tx) => {
        const row = await find(tx, call)
        const pending = pendingOf(call, row?.pending_sealed)
        if (row === undefined || pending === null || pending.until <= now.getTime()) return false
        if (row.guesses >= addressLimits.guesses) return false
        const { operatorId } = call.caller
        if (pending.code !== code) {
          await sql`update notice_address set guesses = guesses + 1 where operator_id = ${operatorId}`.execute(tx)
          return false
        }
        const sealed = seal(emailPurpose, call, pending.email)
        await sql`
          update notice_address set email_sealed = ${sealed}, pending_sealed = null, confirmed_at = ${now}
          where operator_id = ${operatorId}`.execute(tx)
        await note(tx, call, { action: 'notice.address' })
        return true
      })
      if (!isRight) throw new AppError('code_invalid')
      return answer(call)
    },

    removeNoticeAddress: async (_, call) => {
      const { operatorId } = call.caller
      await db.withScope(ownScope(call), async (tx) => {
        if ((await find(tx, call)) === undefined) return
        await sql`delete from notice_address where operator_id = ${operatorId}`.execute(tx)
        await note(tx, call, { action: 'notice.address_removed' })
      })
      return answer(call)
    },
  }
}

interface Code {
  readonly id: string
  readonly email: string
  readonly code: string
  readonly now: number
}

async function sendCode(channels: InboxDeps['channels'], { id, email: to, code, now }: Code): Promise<void> {
  const title = `验证码 ${code}`
  const body = `你正在登记接收通知的邮件地址，验证码 ${code}，15 分钟内有效。Verification code: ${code}`
  try {
    await channels.email.send({ id, to, title, body, path: '', event: 'address', atMs: now, nowMs: now })
  } catch (error) {
    throw new AppError('mail_failed', { cause: error })
  }
}

/** Two letters of the name, and the host. */
const masked = (email: string): string => email.replace(/^(.{1,2})[^@]*/, '$1***')
