import { smsCodeLifetimeMs } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { equalBytes, utf8 } from '@saddle/contract/wire/bytes.ts'
import type { Background } from '#identity/background.ts'
import type { IdentitySecrets } from '#identity/secrets.ts'
import { addressBucket } from '#kit/address.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Log } from '#kit/log.ts'
import { type Random, randomDigits } from '#kit/random.ts'
import type { SmsProvider } from './provider.ts'
import { type CodeVerdict, judgeCode, isSendAllowed, sendAllowedAt, type SendLimits } from './rules.ts'
import {
  countFailure,
  failuresFromAddress,
  knownDevice,
  liveCodes,
  lockGuesses,
  lockSends,
  sendHistory,
  spendCodes,
  storeCode,
} from './store.ts'

/** After this many consecutive failures the provider counts as broken for all phone numbers. */
const providerFailuresMax = 3
const providerPauseMs = minuteMs

export interface SmsCodes {
  /** Sends a code. Throws `sms_too_many` over a limit and `sms_failed` while the provider is broken. */
  request(options: CodeRequest): Promise<void>
  /** Checks a code and uses it up or counts the failure, in the caller's transaction, which must commit either way. */
  check(options: CodeRequest & { tx: Tx; code: string }): Promise<CodeVerdict>
}

interface CodeRequest {
  readonly phone: string
  readonly address: string
  /** Hash of the browser's device cookie; null for a browser that has none. */
  readonly deviceHash: string | null
}

/** Too many codes were asked for; with the time of the next one, where it is the caller's own limit. */
const tooMany = (untilMs: number | null, nowMs: number): AppError =>
  new AppError(
    'sms_too_many',
    untilMs === null || untilMs <= nowMs ? {} : { retryAfterS: Math.max(1, Math.ceil((untilMs - nowMs) / 1_000)) },
  )

export function createSmsCodes(deps: {
  db: Database
  clock: Clock
  random: Random
  log: Log
  secrets: IdentitySecrets
  provider: SmsProvider
  background: Background
  /** Hears of each code that goes out. */
  onSent?: (agentId: number) => void
  limits: SendLimits
}): SmsCodes {
  const { db, clock, random, log, secrets, provider, background, limits, onSent } = deps
  let failuresInRow = 0
  let lastFailureAt = 0

  const deliver = async (phone: string, code: string): Promise<void> => {
    try {
      await provider.send({ phone, code, ttlMinutes: smsCodeLifetimeMs / minuteMs })
      failuresInRow = 0
    } catch (err) {
      failuresInRow += 1
      lastFailureAt = clock.now()
      log.error({ err, provider: provider.name, failuresInRow }, 'an SMS could not be sent')
    }
  }

  return {
    request: async ({ phone, address, deviceHash }) => {
      const nowMs = clock.now()
      const phoneHash = secrets.phoneHash(phone)
      const addressHash = secrets.addressHash(addressBucket(address))
      const code = randomDigits({ random, length: 6 })
      const outcome = await db.system(async (tx) => {
        await lockSends(tx)
        const known = await knownDevice(tx, { phoneHash, deviceHash })
        const key = { tx, phoneHash, addressHash, nowMs, deviceHash: known }
        const history = await sendHistory(key, limits)
        if (!isSendAllowed({ history, nowMs, limits })) return { refusedUntil: sendAllowedAt(history) }
        const operator = await tx
          .selectFrom('operator')
          .select('agent_id')
          .where('phone_hash', '=', phoneHash)
          .executeTakeFirst()
        const isReal = operator !== undefined
        await storeCode({ ...key, codeHash: secrets.codeHash(phone, code), isReal })
        return operator ?? 'unknown'
      })
      if (outcome !== 'unknown' && 'refusedUntil' in outcome) throw tooMany(outcome.refusedUntil, nowMs)
      // Sent in the background: the provider's response time or error would reveal which numbers are registered.
      if (outcome !== 'unknown') {
        background.run('sms', () => deliver(phone, code))
        onSent?.(outcome.agent_id)
      }
      if (failuresInRow >= providerFailuresMax && nowMs - lastFailureAt < providerPauseMs) {
        throw new AppError('sms_failed')
      }
    },

    check: async ({ tx, phone, code, address, deviceHash }) => {
      const nowMs = clock.now()
      const phoneHash = secrets.phoneHash(phone)
      const addressHash = secrets.addressHash(addressBucket(address))
      const key = { tx, phoneHash, nowMs, deviceHash: await knownDevice(tx, { phoneHash, deviceHash }) }
      const state = await lockGuesses(key)
      const typed = utf8(secrets.codeHash(phone, code))
      const isRight = (await liveCodes(key)).some((codeHash) => equalBytes(typed, utf8(codeHash)))
      const fromAddress = await failuresFromAddress({ tx, addressHash, nowMs })
      const verdict = judgeCode({ state, isRight, nowMs, failuresFromAddress: fromAddress })
      if (verdict === 'accepted') await spendCodes(key)
      if (verdict === 'wrong') await countFailure({ ...key, addressHash, state })
      return verdict
    },
  }
}
