import type { Boundary } from '@saddle/contract/feeds/mds.ts'
import { mdsPerMinute, mdsTokenSeconds } from '@saddle/contract/feeds/mdsRecords.ts'
import { businessDayOf, minuteMs, secondMs } from '@saddle/contract/time.ts'
import { isSameText, sha256 } from '#kit/crypto.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'
import { addMdsUses, selectMdsClient, type MdsUse } from './clientStore.ts'

/** Whose records a token reads: of one company, within one boundary. */
export interface MdsReader {
  readonly agentId: number
  readonly providerId: string
  readonly boundary: Boundary
  readonly scope: Scope
}

export interface MdsAccess {
  /** A token for right credentials; null for wrong ones. */
  token(clientId: string, secret: string): Promise<{ readonly token: string; readonly seconds: number } | null>
  /** What a token reads. `refused`: it is wrong, too old, or its credentials are revoked. */
  enter(token: string): Promise<MdsReader | 'refused' | 'too_many'>
  /** Writes down how often credentials were used. */
  flush(): Promise<void>
}

const purpose = 'mds tokens'
const waitingMax = 5_000
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encoded({ alg: 'HS256', typ: 'JWT' })

/**
 * Tokens are signed and kept nowhere. What they are good for is asked of the database in each call, so that credentials that
 * are revoked are worth nothing from then on.
 */
export function createMdsAccess({ db, clock, secrets }: Pick<Kit, 'db' | 'clock' | 'secrets'>): MdsAccess {
  const limiter = createLimiter({ limit: mdsPerMinute, windowMs: minuteMs, maxKeys: 10_000, clock })
  const waiting = new Map<string, MdsUse>()
  const note = (clientId: number, isRefused: boolean): void => {
    const lastAt = clock.now()
    const day = businessDayOf(lastAt)
    const id = `${clientId} ${day}`
    const known = waiting.get(id)
    if (known === undefined && waiting.size >= waitingMax) return
    const refused = (known?.refused ?? 0) + (isRefused ? 1 : 0)
    waiting.set(id, { clientId, day, calls: (known?.calls ?? 0) + 1, refused, lastAt })
  }
  const find = async (clientId: string) => {
    const [row] = await db.systemRead((k) => selectMdsClient(clientId).compile(k))
    return row === undefined || row.expires_at.getTime() <= clock.now() ? null : row
  }
  return {
    token: async (clientId, secret) => {
      const row = await find(clientId)
      // The comparison takes as long for an unknown client.
      const isRight = isSameText(sha256(secret), row?.secret_hash ?? '')
      if (row === null || !isRight) return null
      const exp = Math.floor(clock.now() / secondMs) + mdsTokenSeconds
      const claims = encoded({ sub: clientId, provider_id: row.provider_id, exp })
      const text = `${header}.${claims}`
      return { token: `${text}.${secrets.hmac({ purpose, text })}`, seconds: mdsTokenSeconds }
    },

    enter: async (token) => {
      const clientId = clientIn(token)
      if (clientId === null) return 'refused'
      const row = await find(clientId)
      if (row === null) return 'refused'
      if (!limiter.take(String(row.id)).allowed) {
        note(row.id, true)
        return 'too_many'
      }
      note(row.id, false)
      const { agent_id: agentId, provider_id: providerId, boundary, area_ids: areaIds } = row
      return { agentId, providerId, boundary, scope: { agentIds: [agentId], areaIds, operatorId: null } }
    },

    flush: async () => {
      if (waiting.size === 0) return
      const uses = [...waiting.values()]
      waiting.clear()
      await db.system((tx) => addMdsUses(uses).execute(tx))
    },
  }

  function clientIn(token: string): string | null {
    const [head = '', claims = '', signature = '', ...more] = token.split('.')
    const text = `${head}.${claims}`
    const isSigned = secrets.hmacs({ purpose, text }).some((known) => isSameText(known, signature))
    if (!isSigned || head !== header || more.length > 0) return null
    const said: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString())
    if (typeof said !== 'object' || said === null || !('sub' in said) || !('exp' in said)) return null
    const { sub, exp } = said
    return typeof sub === 'string' && typeof exp === 'number' && exp * secondMs > clock.now() ? sub : null
  }
}
