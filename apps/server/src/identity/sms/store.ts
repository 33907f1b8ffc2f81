import { sql } from 'kysely'
import { smsCodeLifetimeMs } from '@saddle/contract/constants.ts'
import type { Tx } from '#kit/db/pool.ts'
import { type CodeState, countedFailures, dayMs, hourMs, type SendHistory } from './rules.ts'

/** Requests for codes take turns until they commit, so that no two of them pass one limit together. */
export async function lockSends(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('identity.sms_send', 0))`.execute(tx)
}

export interface SendKey {
  readonly tx: Tx
  readonly phoneHash: string
  readonly addressHash: string
  readonly nowMs: number
}

export async function sendHistory({ tx, phoneHash, addressHash, nowMs }: SendKey): Promise<SendHistory> {
  const dayAgo = new Date(nowMs - dayMs)
  const { rows } = await sql<{ last: Date | null; phone: number; address: number; real: number }>`
    select
      (select max(sent_at) from sms_send where phone_hash = ${phoneHash}) as last,
      (select count(*) from sms_send where phone_hash = ${phoneHash} and sent_at > ${dayAgo}) as phone,
      (select count(*) from sms_send where address_hash = ${addressHash} and sent_at > ${new Date(nowMs - hourMs)})
        as address,
      (select count(*) from sms_send where is_real and sent_at > ${dayAgo}) as real`.execute(tx)
  const row = rows[0]
  if (row === undefined) throw new Error('a select without from has one row')
  return {
    lastToPhoneMs: row.last?.getTime() ?? null,
    toPhoneInDay: row.phone,
    fromAddressInHour: row.address,
    realInDay: row.real,
  }
}

/** Puts the new code in the place of the old one; the phone's failures stay. */
export async function storeCode(options: SendKey & { codeHash: string; isReal: boolean }): Promise<void> {
  const { tx, phoneHash, addressHash, nowMs, codeHash, isReal } = options
  const sentAt = new Date(nowMs)
  const code = {
    code_hash: codeHash,
    sent_at: sentAt,
    expires_at: new Date(nowMs + smsCodeLifetimeMs),
    used_at: null,
  }
  await tx
    .insertInto('sms_send')
    .values({ phone_hash: phoneHash, address_hash: addressHash, is_real: isReal, sent_at: sentAt })
    .execute()
  await tx
    .insertInto('sms_code')
    .values({ phone_hash: phoneHash, ...code })
    .onConflict((conflict) => conflict.column('phone_hash').doUpdateSet(code))
    .execute()
}

/** The phone's row, locked until the commit. A phone that never asked gets one too, so that its failures are counted. */
export async function lockCode(options: { tx: Tx; phoneHash: string; nowMs: number }): Promise<CodeState> {
  const { tx, phoneHash, nowMs } = options
  const longAgo = new Date(nowMs - smsCodeLifetimeMs)
  await tx
    .insertInto('sms_code')
    .values({ phone_hash: phoneHash, code_hash: '', sent_at: longAgo, expires_at: new Date(nowMs), used_at: longAgo })
    .onConflict((conflict) => conflict.column('phone_hash').doNothing())
    .execute()
  const row = await tx
    .selectFrom('sms_code')
    .select(['code_hash', 'sent_at', 'used_at', 'failures', 'failures_since'])
    .where('phone_hash', '=', phoneHash)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return {
    codeHash: row.code_hash,
    sentAtMs: row.sent_at.getTime(),
    isUsed: row.used_at !== null,
    failures: row.failures,
    failuresSinceMs: row.failures_since?.getTime() ?? null,
  }
}

/** Not locked: guesses that arrive together may go over the bound by as many as there are connections. */
export async function failuresFromAddress(options: { tx: Tx; addressHash: string; nowMs: number }): Promise<number> {
  const { total } = await options.tx
    .selectFrom('sms_failure')
    .select((column) => column.fn.countAll<number>().as('total'))
    .where('address_hash', '=', options.addressHash)
    .where('failed_at', '>', new Date(options.nowMs - hourMs))
    .executeTakeFirstOrThrow()
  return total
}

/** The holder of the phone has shown up: the code is spent and the count starts anew. */
export async function spendCode(options: { tx: Tx; phoneHash: string; nowMs: number }): Promise<void> {
  await options.tx
    .updateTable('sms_code')
    .set({ used_at: new Date(options.nowMs), failures: 0, failures_since: null })
    .where('phone_hash', '=', options.phoneHash)
    .execute()
}

export async function countFailure(options: SendKey & { state: CodeState }): Promise<void> {
  const { tx, phoneHash, addressHash, nowMs, state } = options
  const before = countedFailures(state, nowMs)
  await tx
    .updateTable('sms_code')
    .set({
      failures: before + 1,
      failures_since: new Date(before === 0 ? nowMs : (state.failuresSinceMs ?? nowMs)),
    })
    .where('phone_hash', '=', phoneHash)
    .execute()
  await tx
    .insertInto('sms_failure')
    .values({ address_hash: addressHash, failed_at: new Date(nowMs) })
    .execute()
}
