import { mdsJson } from '@saddle/contract/feeds/mdsRecords.ts'
import type { MdsPushKind } from '@saddle/contract/feeds/agency.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { faultOf } from '#kit/retry.ts'
import { sendOutside, type WebhookAnswer } from '#kit/webhook.ts'
import { mdsTokenPurpose } from '../keyed.ts'
import type { MdsReader } from '../mds/access.ts'
import { boundariesOf, type Boundaries } from '../mds/boundary.ts'
import { ownerOf } from '../mds/common.ts'
import type { MdsOwner } from '../mds/records.ts'
import { halves, judge, type IdField } from './rules.ts'
import { addCount, type Target } from './store.ts'

/** So much of an answer is read: a city names each record that it refuses. */
const answerCharsMax = 1_000_000
/** A record that a city refuses with all others of its request is looked for in halves. */
const requestsPerBatchMax = 40

export interface AgencyDeps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'log' | 'secrets' | 'config'>
  readonly send?: typeof sendOutside
}

/** The city is not there, or refuses the token: what was not taken is sent again later. */
export class CityDownError extends Error {
  override readonly name = 'CityDownError'
}

export interface Sent<T> {
  readonly taken: readonly T[]
  /** What the city refused, and why. */
  readonly refused: ReadonlyMap<T, string>
}

/** One city while it is told. */
export interface City {
  readonly target: Target
  readonly reader: MdsReader
  readonly owner: MdsOwner
  readonly bounds: Boundaries
  /** Sends records and counts them. Throws `CityDownError`. */
  send<T extends object>(batch: Batch<T>): Promise<Sent<T>>
}

export interface Batch<T> {
  readonly kind: MdsPushKind
  readonly method: 'POST' | 'PUT'
  readonly path: '/vehicles' | '/events' | '/trips' | '/telemetry'
  readonly items: readonly T[]
  readonly idOf: (item: T) => string
  readonly idField: IdField
  readonly recordOf: (item: T) => unknown
}

export async function openCity(deps: AgencyDeps, target: Target): Promise<City> {
  const { kit, send = sendOutside } = deps
  const { db, clock, config, secrets, log } = kit
  const { agent_id: agentId, provider_id: providerId, boundary, area_ids: areaIds } = target
  const reader = { agentId, providerId, boundary, scope: { agentIds: [agentId], areaIds, operatorId: null } }
  const base = target.url.replace(/\/+$/, '')
  const token = secrets.decryptText({
    purpose: mdsTokenPurpose,
    sealed: target.token_sealed,
    context: String(target.jurisdiction_id),
  })
  const ask = async (method: 'POST' | 'PUT', path: string, records: readonly unknown[]): Promise<WebhookAnswer> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': mdsJson,
      accept: mdsJson,
      'user-agent': 'Saddle-MDS',
    }
    const text = JSON.stringify(records)
    try {
      return await send({
        url: base + path,
        method,
        text,
        headers,
        isLocalAllowed: config.noticeLocalWebhooks,
        charsMax: answerCharsMax,
      })
    } catch (err) {
      log.warn({ err, jurisdictionId: target.jurisdiction_id }, 'a city did not take its records')
      throw new CityDownError(faultOf(err))
    }
  }
  return {
    target,
    reader,
    owner: await ownerOf(kit, reader),
    bounds: boundariesOf(boundary),
    send: async ({ kind, method, path, items, idOf, idField, recordOf }) => {
      const refused = new Map<(typeof items)[number], string>()
      if (items.length === 0) return { taken: [], refused }
      const left = [items]
      for (let requests = 0; ; requests += 1) {
        const part = left.shift()
        if (part === undefined) break
        if (part.length === 0) continue
        if (requests >= requestsPerBatchMax) throw new CityDownError('too many refusals')
        const judged = judge(await ask(method, path, part.map(recordOf)), idField, { isKnownFine: kind !== 'vehicle' })
        if (judged.kind === 'down') throw new CityDownError(judged.fault)
        if (judged.kind === 'request') {
          const [only, ...others] = part
          if (only !== undefined && others.length === 0) refused.set(only, judged.fault)
          else left.unshift(...halves(part))
          continue
        }
        const others = part.filter((item) => !judged.refused.has(idOf(item)))
        for (const item of part) {
          const fault = judged.refused.get(idOf(item))
          if (fault !== undefined) refused.set(item, fault)
        }
        if (!judged.areOthersTaken && others.length < part.length) left.unshift(others)
      }
      const day = businessDayOf(clock.now())
      const taken = items.filter((item) => !refused.has(item))
      const count = { kind, day, sent: taken.length, refused: refused.size }
      await db.system((tx) => addCount(target, count).execute(tx))
      return { taken, refused }
    },
  }
}
