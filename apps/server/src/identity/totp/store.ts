import { sql } from 'kysely'
import type { IdentitySecrets } from '#identity/secrets.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import { failureState, matchingStep, readCode, totpBeginMs } from './rules.ts'

/** `locked`: too many codes were wrong, and this one was not checked. */
export type TotpVerdict =
  | { readonly kind: 'accepted'; readonly with: 'totp' | 'recovery' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly untilMs: number }

const totpRow = rowOf('operator_totp', [
  'secret_sealed',
  'enabled_at',
  'begun_at',
  'last_step',
  'failures',
  'failures_since',
])

interface CheckOptions {
  readonly tx: Tx
  readonly secrets: IdentitySecrets
  readonly operatorId: number
  readonly typed: string
  readonly nowMs: number
  /** `confirming`: against a secret that is not confirmed yet; recovery codes are not accepted. */
  readonly against: 'enabled' | 'confirming'
}

/**
 * Checks a typed code and counts a failure. The caller must commit the transaction whatever the verdict. The row
 * is locked: of two calls with the same code the second one finds it used.
 */
export async function checkTotp(options: CheckOptions): Promise<TotpVerdict> {
  const { tx, operatorId, nowMs, against } = options
  const { rows } = await totpRow.select`from operator_totp where operator_id = ${operatorId} for update`.execute(tx)
  const [row] = rows
  if (row === undefined || (row.enabled_at === null) !== (against === 'confirming')) return { kind: 'wrong' }
  const { failures, lockedUntilMs } = failureState({ failures: row.failures, since: row.failures_since, nowMs })
  if (lockedUntilMs !== null) return { kind: 'locked', untilMs: lockedUntilMs }
  const isExpired = row.enabled_at === null && nowMs - row.begun_at.getTime() >= totpBeginMs
  const match = isExpired ? null : await findMatch(options, row)
  await tx
    .updateTable('operator_totp')
    .set(
      match === null
        ? { failures: failures + 1, failures_since: failures === 0 ? new Date(nowMs) : row.failures_since }
        : { failures: 0, failures_since: null, last_step: match.lastStep },
    )
    .where('operator_id', '=', operatorId)
    .execute()
  return match === null ? { kind: 'wrong' } : { kind: 'accepted', with: match.with }
}

async function findMatch(
  { tx, secrets, operatorId, typed, nowMs, against }: CheckOptions,
  row: RowOf<typeof totpRow>,
): Promise<{ with: 'totp' | 'recovery'; lastStep: number } | null> {
  const read = readCode(typed)
  if (read === null) return null
  if (read.kind === 'totp') {
    const secret = secrets.openTotp(operatorId, row.secret_sealed)
    const step = matchingStep({ secret, code: read.code, nowMs, lastStep: row.last_step })
    return step === null ? null : { with: 'totp', lastStep: step }
  }
  if (against === 'confirming') return null
  const used = await tx
    .updateTable('operator_recovery_code')
    .set({ used_at: new Date(nowMs) })
    .where('operator_id', '=', operatorId)
    .where('code_hash', 'in', secrets.recoveryHashes(operatorId, read.code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows === 1n ? { with: 'recovery', lastStep: row.last_step } : null
}

/** Replaces an unconfirmed secret. False when a confirmed secret exists. */
export async function beginTotp(options: {
  tx: Tx
  operatorId: number
  secretSealed: string
  at: Date
}): Promise<boolean> {
  const { tx, operatorId, secretSealed, at } = options
  const result = await tx
    .insertInto('operator_totp')
    .values({ operator_id: operatorId, secret_sealed: secretSealed, begun_at: at })
    .onConflict((conflict) =>
      conflict
        .column('operator_id')
        // Failures stay counted: starting again must not give further attempts.
        .doUpdateSet({ secret_sealed: secretSealed, begun_at: at, last_step: 0 })
        .where('operator_totp.enabled_at', 'is', null),
    )
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Activates the secret and stores the hashes of its recovery codes. */
export async function enableTotp(options: {
  tx: Tx
  operatorId: number
  codeHashes: readonly string[]
  at: Date
}): Promise<void> {
  const { tx, operatorId, codeHashes, at } = options
  await tx.updateTable('operator_totp').set({ enabled_at: at }).where('operator_id', '=', operatorId).execute()
  await tx.updateTable('operator').set({ totp_enabled_at: at }).where('id', '=', operatorId).execute()
  await tx.deleteFrom('operator_recovery_code').where('operator_id', '=', operatorId).execute()
  const rows = codeHashes.map((codeHash) => ({ operator_id: operatorId, code_hash: codeHash }))
  await tx.insertInto('operator_recovery_code').values(rows).execute()
}

export async function disableTotp(tx: Tx, operatorId: number): Promise<void> {
  await tx.deleteFrom('operator_totp').where('operator_id', '=', operatorId).execute()
  await tx.updateTable('operator').set({ totp_enabled_at: null }).where('id', '=', operatorId).execute()
}

export async function markSecondFactor(tx: Tx, options: { sessionId: number; at: Date }): Promise<void> {
  await sql`update session set second_factor_at = ${options.at}
    where id = ${options.sessionId} and revoked_at is null`.execute(tx)
}

/** From when on a company requires a second factor of users with finance permissions; null: never. */
export async function readFinanceTotpFrom(db: Database, agentId: number): Promise<Date | null> {
  const [row] = await db.systemRead((kysely) =>
    kysely.selectFrom('agent').select('finance_totp_from').where('id', '=', agentId).compile(),
  )
  return row?.finance_totp_from ?? null
}
