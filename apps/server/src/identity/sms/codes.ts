import { smsCodeLifetimeMs } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { equalBytes, utf8 } from '@saddle/contract/wire/bytes.ts'
import type { Background } from '#identity/background.ts'
import type { IdentitySecrets } from '#identity/secrets.ts'
import { addressBucket } from '#kit/address.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Log } from '#kit/log.ts'
import { type Random, randomDigits } from '#kit/random.ts'
import type { SmsProvider } from './provider.ts'
import { type CodeVerdict, judgeCode, maySend, type SendLimits } from './rules.ts'
import { countFailure, failuresFromAddress, lockCode, lockSends, sendHistory, spendCode, storeCode } from './store.ts'

/** After so many failures one after the other the provider counts as broken, for everybody alike. */
const providerFailuresMax = 3
const providerPauseMs = 60_000

export interface SmsCodes {
  /** Sends a code. Throws `sms_too_many` over a limit and `sms_failed` while the provider is broken. */
  request(options: { phone: string; address: string }): Promise<void>
  /** Judges a code and spends it or counts the failure, in the caller's transaction, which must commit either way. */
  check(options: { tx: Tx; phone: string; code: string; address: string }): Promise<CodeVerdict>
}

export function createSmsCodes(parts: {
  db: Database
  clock: Clock
  random: Random
  log: Log
  secrets: IdentitySecrets
  provider: SmsProvider
  background: Background
  limits: SendLimits
}): SmsCodes {
  const { db, clock, random, log, secrets, provider, background, limits } = parts
  let failuresInRow = 0
  let lastFailureAt = 0

  const deliver = async (phone: string, code: string): Promise<void> => {
    try {
      await provider.send({ phone, code, ttlMinutes: smsCodeLifetimeMs / 60_000 })
      failuresInRow = 0
    } catch (err) {
      failuresInRow += 1
      lastFailureAt = clock.now()
      log.error({ err, provider: provider.name, failuresInRow }, 'an SMS could not be sent')
    }
  }

  return {
    request: async ({ phone, address }) => {
      const nowMs = clock.now()
      const phoneHash = secrets.phoneHash(phone)
      const addressHash = secrets.addressHash(addressBucket(address))
      const code = randomDigits({ random, length: 6 })
      const outcome = await db.system(async (tx) => {
        await lockSends(tx)
        const key = { tx, phoneHash, addressHash, nowMs }
        if (!maySend({ history: await sendHistory(key), nowMs, limits })) return 'refused'
        const operator = await tx
          .selectFrom('operator')
          .select('id')
          .where('phone_hash', '=', phoneHash)
          .executeTakeFirst()
        const isReal = operator !== undefined
        await storeCode({ ...key, codeHash: secrets.codeHash(phone, code), isReal })
        return isReal ? 'known' : 'unknown'
      })
      if (outcome === 'refused') throw new AppError('sms_too_many')
      // Sent behind the answer's back: waiting for the provider, or its error, would tell which numbers exist.
      if (outcome === 'known') background.run('sms', () => deliver(phone, code))
      if (failuresInRow >= providerFailuresMax && nowMs - lastFailureAt < providerPauseMs) {
        throw new AppError('sms_failed')
      }
    },

    check: async ({ tx, phone, code, address }) => {
      const nowMs = clock.now()
      const phoneHash = secrets.phoneHash(phone)
      const addressHash = secrets.addressHash(addressBucket(address))
      const state = await lockCode({ tx, phoneHash, nowMs })
      const isEqual = equalBytes(utf8(secrets.codeHash(phone, code)), utf8(state.codeHash))
      const fromAddress = await failuresFromAddress({ tx, addressHash, nowMs })
      const verdict = judgeCode({ state, isEqual, nowMs, failuresFromAddress: fromAddress })
      if (verdict === 'accepted') await spendCode({ tx, phoneHash, nowMs })
      if (verdict === 'wrong') await countFailure({ tx, phoneHash, addressHash, nowMs, state })
      return verdict
    },
  }
}
