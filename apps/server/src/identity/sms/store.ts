import { sql } from 'kysely'
import { smsCodeLifetimeMs } from '@saddle/contract/constants.ts'
import { smsLiveCodesMax } from '@saddle/contract/identity/limits.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import {
  countedFailures,
  failuresInRow,
  type GuessState,
  isLiveCode,
  type SendHistory,
  type SendLimits,
} from './rules.ts'

/** Serialises requests for codes until their commit, so that two of them cannot exceed a limit together. */
export async function lockSends(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('identity.sms_send', 0))`.execute(tx)
}

interface PhoneKey {
  readonly tx: Tx
  readonly phoneHash: string
  /** Hash of a browser known for this phone; empty for all others, which share codes and counts. */
  readonly deviceHash: string
  readonly nowMs: number
}
interface SendKey extends PhoneKey {
  readonly addressHash: string
}

/**
 * The browser key for counting: its hash when this phone has logged in with it and no administrator
 * rejected it; otherwise empty.
 */
export async function knownDevice(
  tx: Tx,
  { phoneHash, deviceHash }: { phoneHash: string; deviceHash: string | null },
): Promise<string> {
  if (deviceHash === null) return ''
  const found = await tx
    .selectFrom('operator_device')
    .innerJoin('operator', 'operator.id', 'operator_device.operator_id')
    .select('operator_device.id')
    .where('operator.phone_hash', '=', phoneHash)
    .where('operator_device.device_hash', '=', deviceHash)
    .where((where) => where.or([where('approved', '=', true), where('decided_at', 'is', null)]))
    .executeTakeFirst()
  return found === undefined ? '' : deviceHash
}

export async function sendHistory(
  key: SendKey,
  limits: Pick<SendLimits, 'perPhoneDaily' | 'perAddressHourly'>,
): Promise<SendHistory> {
  const { tx, phoneHash, deviceHash, addressHash, nowMs } = key
  const dayAgo = new Date(nowMs - dayMs)
  const { rows } = await rowOfValues({
    last: computed(
      'timestamptz?',
      sql`(select max(sent_at) from sms_send where phone_hash = ${phoneHash} and device_hash = ${deviceHash})`,
    ),
    phone: computed(
      'bigint',
      sql`(select count(*) from sms_send
        where phone_hash = ${phoneHash} and device_hash = ${deviceHash} and sent_at > ${dayAgo})`,
    ),
    due_of_phone: computed(
      'timestamptz?',
      sql`(select sent_at from sms_send
        where phone_hash = ${phoneHash} and device_hash = ${deviceHash} and sent_at > ${dayAgo}
        order by sent_at desc offset ${limits.perPhoneDaily - 1} limit 1)`,
    ),
    due_of_address: computed(
      'timestamptz?',
      sql`(select sent_at from sms_send
        where address_hash = ${addressHash} and sent_at > ${new Date(nowMs - hourMs)}
        order by sent_at desc offset ${limits.perAddressHourly - 1} limit 1)`,
    ),
    address: computed(
      'bigint',
      sql`(select count(*) from sms_send where address_hash = ${addressHash} and sent_at > ${new Date(nowMs - hourMs)})`,
    ),
    real: computed('bigint', sql`(select count(*) from sms_send where is_real and sent_at > ${dayAgo})`),
  }).select`
    `.execute(tx)
  const row = rows[0]
  if (row === undefined) throw new Error('a select without from has one row')
  return {
    isKnown: deviceHash !== '',
    lastToPhoneMs: row.last?.getTime() ?? null,
    toPhoneInDay: row.phone,
    fromAddressInHour: row.address,
    dueOfPhoneMs: row.due_of_phone?.getTime() ?? null,
    dueOfAddressMs: row.due_of_address?.getTime() ?? null,
    realInDay: row.real,
  }
}

/** Stores a new code beside those still valid; failures stay counted. */
export async function storeCode(options: SendKey & { codeHash: string; isReal: boolean }): Promise<void> {
  const { tx, phoneHash, deviceHash, addressHash, nowMs, codeHash, isReal } = options
  const sentAt = new Date(nowMs)
  await tx
    .insertInto('sms_send')
    .values({
      phone_hash: phoneHash,
      device_hash: deviceHash,
      address_hash: addressHash,
      is_real: isReal,
      sent_at: sentAt,
    })
    .execute()
  await tx
    .insertInto('sms_code')
    .values({
      phone_hash: phoneHash,
      device_hash: deviceHash,
      code_hash: codeHash,
      sent_at: sentAt,
      expires_at: new Date(nowMs + smsCodeLifetimeMs),
    })
    .execute()
}

/** The count of failures, locked until the commit. Created for a phone that never requested a code. */
export async function lockGuesses({ tx, phoneHash, deviceHash, nowMs }: PhoneKey): Promise<GuessState> {
  await tx
    .insertInto('sms_guess')
    .values({ phone_hash: phoneHash, device_hash: deviceHash, last_failed_at: new Date(nowMs) })
    .onConflict((conflict) => conflict.columns(['phone_hash', 'device_hash']).doNothing())
    .execute()
  const row = await tx
    .selectFrom('sms_guess')
    .select(['failures', 'failures_since', 'total', 'last_failed_at'])
    .where('phone_hash', '=', phoneHash)
    .where('device_hash', '=', deviceHash)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return {
    isKnown: deviceHash !== '',
    failures: row.failures,
    failuresSinceMs: row.failures_since?.getTime() ?? null,
    total: row.total,
    lastFailedAtMs: row.last_failed_at.getTime(),
  }
}

/** Hashes of the latest valid codes; read them under the lock of the count. */
export async function liveCodes({ tx, phoneHash, deviceHash, nowMs }: PhoneKey): Promise<string[]> {
  const rows = await tx
    .selectFrom('sms_code')
    .select(['code_hash', 'sent_at'])
    .where('phone_hash', '=', phoneHash)
    .where('device_hash', '=', deviceHash)
    .where('used_at', 'is', null)
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(smsLiveCodesMax)
    .execute()
  return rows.filter((row) => isLiveCode(row.sent_at.getTime(), nowMs)).map((row) => row.code_hash)
}

/** Not locked: concurrent guesses may exceed the limit by the number of connections. */
export async function failuresFromAddress(options: { tx: Tx; addressHash: string; nowMs: number }): Promise<number> {
  const { total } = await options.tx
    .selectFrom('sms_failure')
    .select((column) => column.fn.countAll<number>().as('total'))
    .where('address_hash', '=', options.addressHash)
    .where('failed_at', '>', new Date(options.nowMs - hourMs))
    .executeTakeFirstOrThrow()
  return total
}

/** After a correct code: the phone's codes are used up and its counts restart. */
export async function spendCodes(key: PhoneKey): Promise<void> {
  const { tx, phoneHash, deviceHash, nowMs } = key
  await tx
    .updateTable('sms_code')
    .set({ used_at: new Date(nowMs) })
    .where('phone_hash', '=', phoneHash)
    .where('device_hash', '=', deviceHash)
    .where('used_at', 'is', null)
    .execute()
  await tx
    .updateTable('sms_guess')
    .set({ failures: 0, failures_since: null })
    .where('phone_hash', '=', phoneHash)
    .where('device_hash', '=', deviceHash)
    .execute()
  await endFailuresInRow(tx, phoneHash)
}

/** After a login: earlier failures no longer count as consecutive. Those of the last half hour still count. */
export async function endFailuresInRow(tx: Tx, phoneHash: string): Promise<void> {
  await tx.updateTable('sms_guess').set({ total: 0 }).where('phone_hash', '=', phoneHash).execute()
}

export async function countFailure(options: SendKey & { state: GuessState }): Promise<void> {
  const { tx, phoneHash, deviceHash, addressHash, nowMs, state } = options
  const before = countedFailures(state, nowMs)
  await tx
    .updateTable('sms_guess')
    .set({
      failures: before + 1,
      failures_since: new Date(before === 0 ? nowMs : (state.failuresSinceMs ?? nowMs)),
      total: failuresInRow(state, nowMs) + 1,
      last_failed_at: new Date(nowMs),
    })
    .where('phone_hash', '=', phoneHash)
    .where('device_hash', '=', deviceHash)
    .execute()
  await tx
    .insertInto('sms_failure')
    .values({ address_hash: addressHash, failed_at: new Date(nowMs) })
    .execute()
}

/** Clears all failures after an administrator has verified the user. */
export async function forgetFailures(tx: Tx, operatorId: number): Promise<void> {
  await tx
    .deleteFrom('sms_guess')
    .where('phone_hash', '=', (eb) =>
      eb.selectFrom('operator').select('operator.phone_hash').where('id', '=', operatorId),
    )
    .execute()
}
