import { AppError } from '@saddle/contract/errors.ts'
import type { PartnerScope } from '@saddle/contract/partners/keys.ts'
import { businessDayOf, minuteMs } from '@saddle/contract/time.ts'
import { sha256 } from '#kit/crypto.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'
import { keyPrefix } from './handlers.ts'
import { addUses, knownScopes, selectKeyOf, type KeyUse } from './store.ts'

const keyPattern = new RegExp(`^${keyPrefix}[\\w-]{40,60}$`)
/** Uses that wait to be written; of one key and day there is one. */
const waitingMax = 5_000

export interface PartnerAccess {
  /**
   * The rows that a key reaches, when it is good, has this scope and is within its rate. Throws `unauthorized`, `forbidden` or
   * `too_many_requests`. Every call asks the database, so that a key that is revoked is worth nothing from then on.
   */
  enter(key: string | undefined, scope: PartnerScope): Promise<Scope>
  /** Writes down how often keys were used. */
  flush(): Promise<void>
}

export function createAccess({ db, clock }: Pick<Kit, 'db' | 'clock'>): PartnerAccess {
  const limiters = new Map<number, ReturnType<typeof createLimiter>>()
  /** One per rate: keys of one rate share a limiter and are told apart in it. */
  const limiterOf = (limit: number) => {
    const known = limiters.get(limit) ?? createLimiter({ limit, windowMs: minuteMs, maxKeys: 10_000, clock })
    limiters.set(limit, known)
    return known
  }
  const waiting = new Map<string, KeyUse>()
  const note = (keyId: number, isRefused: boolean): void => {
    const lastAt = clock.now()
    const day = businessDayOf(lastAt)
    const id = `${keyId} ${day}`
    const known = waiting.get(id)
    if (known === undefined && waiting.size >= waitingMax) return
    const calls = (known?.calls ?? 0) + 1
    waiting.set(id, { keyId, day, calls, refused: (known?.refused ?? 0) + (isRefused ? 1 : 0), lastAt })
  }
  return {
    enter: async (key, scope) => {
      if (key === undefined || !keyPattern.test(key)) throw new AppError('unauthorized')
      // Found by its hash: how long the search takes tells nothing about a key.
      const [row] = await db.systemRead((k) => selectKeyOf(sha256(key)).compile(k))
      const now = clock.now()
      if (row === undefined || row.expires_at.getTime() <= now) throw new AppError('unauthorized')
      if (row.is_previous && (row.previous_until?.getTime() ?? 0) <= now) throw new AppError('unauthorized')
      const refuse = (code: 'forbidden' | 'too_many_requests'): never => {
        note(row.id, true)
        throw new AppError(code)
      }
      if (!limiterOf(row.per_minute).take(String(row.id)).allowed) return refuse('too_many_requests')
      if (!knownScopes(row.scopes).includes(scope)) return refuse('forbidden')
      note(row.id, false)
      return { agentIds: [row.agent_id], areaIds: row.area_ids, operatorId: null }
    },
    flush: async () => {
      if (waiting.size === 0) return
      const uses = [...waiting.values()]
      waiting.clear()
      await db.system((tx) => addUses(uses).execute(tx))
    },
  }
}
