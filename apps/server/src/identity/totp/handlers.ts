import { AppError } from '@saddle/contract/errors.ts'
import type { selfEndpoints } from '@saddle/contract/identity/self.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import { recordChanges } from '#identity/access/changes.ts'
import type { IdentitySecrets } from '#identity/secrets.ts'
import { isSecondFactorRequired, maskPhone } from '#identity/session/rules.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Random } from '#kit/random.ts'
import { newRecoveryCodes, newTotpSecret, readCode, totpBeginMs, totpUri } from './rules.ts'
import {
  beginTotp,
  checkTotp,
  disableTotp,
  enableTotp,
  markSecondFactor,
  readFinanceTotpFrom,
  type TotpVerdict,
} from './store.ts'

export interface TotpDeps {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly secrets: IdentitySecrets
  readonly audit: Audit
  /** Polls for access changes after the commit of the transaction. */
  readonly pollAfterCommit: (tx: Tx) => void
}

type TotpEndpoints = Pick<typeof selfEndpoints, 'beginTotp' | 'confirmTotp' | 'endTotp' | 'passTotp'>

/** The second factor: an authenticator's code after the SMS code, and recovery codes for a lost phone. */
export function createTotpHandlers(deps: TotpDeps): Handlers<TotpEndpoints> {
  const { db, clock, random, secrets } = deps

  /** Runs `accepted` in the transaction that accepts a correct code; a wrong code is counted, audited and rejected. */
  const withCode = async <T>(
    options: { call: SessionCall; typed: string; against: 'enabled' | 'confirming'; action: string },
    accepted: (tx: Tx, at: Date) => Promise<T>,
  ): Promise<T> => {
    const { call, typed, against, action } = options
    const { operatorId } = call.caller
    const nowMs = clock.now()
    const outcome = await db.system(async (tx) => {
      const verdict = await checkTotp({ tx, secrets, operatorId, typed, nowMs, against })
      if (verdict.kind !== 'accepted') {
        // A locked-out user must not be able to fill the audit log with attempts; the wrong ones before are in it.
        if (verdict.kind === 'wrong')
          await writeLine(deps, { tx, call, action: 'totp.wrong', after: { during: action } })
        return { verdict }
      }
      const value = await accepted(tx, new Date(nowMs))
      await recordChanges(tx, [{ kind: 'operator', subjectId: operatorId }])
      await writeLine(deps, { tx, call, action, after: { with: verdict.with } })
      deps.pollAfterCommit(tx)
      return { value }
    })
    if ('value' in outcome) return outcome.value
    throw refusalOf(outcome.verdict, nowMs)
  }

  return {
    beginTotp: async (_, call) => {
      const { operatorId, agentId, phone } = call.caller
      const secret = newTotpSecret(random)
      const nowMs = clock.now()
      const company = await db.system(async (tx) => {
        const secretSealed = secrets.sealTotp(operatorId, secret)
        if (!(await beginTotp({ tx, operatorId, secretSealed, at: new Date(nowMs) }))) return null
        const own = await tx.selectFrom('agent').select('company').where('id', '=', agentId).executeTakeFirstOrThrow()
        return own.company
      })
      if (company === null) throw new AppError('totp_enabled')
      const uri = totpUri({ secret, issuer: company, account: maskPhone(phone) })
      return { suc: true, data: { secret, uri, expiresAt: nowMs + totpBeginMs } }
    },

    confirmTotp: async ({ code }, call) => {
      const { operatorId, sessionId } = call.caller
      const recoveryCodes = newRecoveryCodes(random)
      const codeHashes = recoveryCodes.map((text) => secrets.recoveryHashes(operatorId, readCode(text)?.code ?? '')[0])
      const options = { call, typed: code, against: 'confirming', action: 'totp.enable' } as const
      await withCode(options, async (tx, at) => {
        await enableTotp({ tx, operatorId, codeHashes, at })
        // This session has shown its code by confirming; the user's other sessions have to show one as well.
        await markSecondFactor(tx, { sessionId, at })
      })
      return { suc: true, data: { recoveryCodes } }
    },

    endTotp: async ({ code }, call) => {
      const { operatorId, agentId, permissions } = call.caller
      const from = await readFinanceTotpFrom(db, agentId)
      if (isSecondFactorRequired({ from, codes: permissions, nowMs: clock.now() })) throw new AppError('totp_kept')
      const options = { call, typed: code, against: 'enabled', action: 'totp.disable' } as const
      await withCode(options, (tx) => disableTotp(tx, operatorId))
      return { suc: true, data: {} }
    },

    passTotp: async ({ code }, call) => {
      const { sessionId } = call.caller
      const options = { call, typed: code, against: 'enabled', action: 'totp.pass' } as const
      await withCode(options, (tx, at) => markSecondFactor(tx, { sessionId, at }))
      return { suc: true, data: {} }
    },
  }
}

function refusalOf(verdict: Exclude<TotpVerdict, { kind: 'accepted' }>, nowMs: number): AppError {
  if (verdict.kind === 'wrong') return new AppError('totp_invalid')
  return new AppError('totp_locked', {
    values: { minutes: Math.max(1, Math.ceil((verdict.untilMs - nowMs) / minuteMs)) },
  })
}

function writeLine(
  { audit }: TotpDeps,
  options: { tx: Tx; call: SessionCall; action: string; after: Record<string, unknown> },
): Promise<void> {
  const { tx, call, action, after } = options
  const { operatorId, agentId } = call.caller
  const { address, requestId } = call
  const subject = { subjectKind: 'operator', subjectId: operatorId }
  return audit.write(tx, { agentId, operatorId, action, ...subject, after, address, requestId })
}
