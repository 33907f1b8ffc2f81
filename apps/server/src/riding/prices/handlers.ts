import { sql } from 'kysely'
import { returnKinds } from '@saddle/contract/riding/price.ts'
import type { PriceVersion, priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { priceRide, type PricedRide } from '#riding/pricing/pricing.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'
import type { Kit } from '#kit/kit.ts'
import { known } from '#kit/known.ts'
import { benefitsOf } from '../orders/present.ts'
import { selectOrder } from '../orders/store.ts'
import { compare } from './compare.ts'
import { spentBefore } from './spent.ts'
import { findVersion, insertVersion, selectInForce, selectVersions, versionOf } from './store.ts'

type Parts = { readonly kit: Pick<Kit, 'db' | 'clock'>; readonly audit: Audit }
/** A ride whose price is asked for. */
type Asked = { readonly areaId: number; readonly ride: PricedRide; readonly chargedCents: number | null }

/** Price versions: what is in force, what was, what will be, and what a ride costs under any of them. */
export function createPriceHandlers({ kit, audit }: Parts): Handlers<typeof priceEndpoints> {
  const inForce = async (scope: Scope, atMs: number): Promise<PriceVersion[]> => {
    const rows = await kit.db.read(scope, (k) => selectInForce({ scope, at: new Date(atMs) }).compile(k))
    return rows.map(versionOf)
  }
  return {
    listPriceVersions: async ({ areaId }, { scope }) => {
      const current = await inForce(scope, kit.clock.now())
      const ids = new Set(current.map(({ id }) => id))
      const mark = (version: PriceVersion) => ({ ...version, inForce: ids.has(version.id) })
      if (areaId === undefined) return { suc: true, data: { list: current.map(mark) } }
      const rows = await kit.db.read(scope, (k) => selectVersions({ scope, areaId }).compile(k))
      return { suc: true, data: { list: rows.map((row) => mark(versionOf(row))) } }
    },

    publishPriceVersion: async ({ areaIds, name, rules, validFrom }, call) => {
      const { scope, caller } = call
      const nowMs = kit.clock.now()
      if (validFrom !== undefined && validFrom < nowMs) {
        throw new AppError('bad_request', { values: { detail: '生效时间已经过去' } })
      }
      const list = await kit.db.withScope(scope, async (tx) => {
        const { rows: areas } = await sql<{ id: number; agent_id: number; name: string }>`
          select id, agent_id, name from service_area
          where id = any (${areaIds}::bigint[]) and ${within('service_area', scope)}
          order by agent_id, id`.execute(tx)
        if (areas.length !== new Set(areaIds).size) throw new AppError('foreign_scope')
        const added: PriceVersion[] = []
        for (const area of areas) {
          const version = {
            agentId: area.agent_id,
            areaId: area.id,
            name,
            rules,
            validFrom: new Date(validFrom ?? nowMs),
            authorId: caller.operatorId,
            authorName: caller.name,
            createdAt: new Date(nowMs),
          }
          const id = await insertVersion(tx, version)
          const { agentId, areaId, authorName } = version
          added.push({
            id,
            agentId,
            areaId,
            areaName: area.name,
            name,
            rules,
            validFrom: validFrom ?? nowMs,
            authorName,
            createdAt: nowMs,
          })
        }
        for (const { id, agentId, areaId } of added) {
          await audit.write(tx, {
            agentId,
            areaId,
            operatorId: caller.operatorId,
            action: 'price.publish',
            subjectKind: 'price_version',
            subjectId: String(id),
            after: { areaId, name, validFrom: validFrom ?? nowMs },
            address: call.address,
            requestId: call.requestId,
          })
        }
        return added
      })
      return { suc: true, data: { list } }
    },

    comparePrices: async ({ areaId, rules }, call) => ({
      suc: true,
      data: await compare(kit, call.scope, { areaId, rules }),
    }),

    itineraryCost: async ({ orderId, ride, versionId, rules }, call) => {
      const { scope } = call
      const asked = orderId === undefined ? rideOf(ride) : await orderAsked({ kit, call, orderId })
      if (rules !== undefined) return answer(null, priceRide(rules, asked.ride), asked.chargedCents)
      const version =
        versionId === undefined
          ? (await inForce(scope, asked.ride.startedAt)).find(({ areaId }) => areaId === asked.areaId)
          : await findVersion(kit.db, { id: versionId, scope })
      if (version === undefined || version === null) throw new AppError('price_missing')
      return answer(version, priceRide(version.rules, asked.ride), asked.chargedCents)
    },
  }
}

function answer(version: PriceVersion | null, price: ReturnType<typeof priceRide>, chargedCents: number | null) {
  const data = { version, lines: [...price.lines], totalCents: price.totalCents, chargedCents }
  return { suc: true as const, data }
}

type GivenRide = Omit<PricedRide, 'spentByDay'> & { readonly areaId: number }

function rideOf(ride: GivenRide | undefined): Asked {
  if (ride === undefined) throw new AppError('bad_request', { values: { detail: 'ride' } })
  const { areaId, ...given } = ride
  return { areaId, ride: { ...given, spentByDay: {} }, chargedCents: null }
}

async function orderAsked(options: {
  kit: Pick<Kit, 'db' | 'clock'>
  call: SessionCall
  orderId: number
}): Promise<Asked> {
  const { kit, call, orderId } = options
  const { scope } = call
  const [row] = await kit.db.read(scope, (k) => selectOrder({ id: orderId, scope }).compile(k))
  if (row === undefined) throw new AppError('not_found')
  if (row.started_at === null) throw new AppError('ride_not_begun')
  const startedAt = row.started_at.getTime()
  const query = spentBefore({ riderId: row.rider_id, areaId: row.area_id, startedAt })
  const spent = await kit.db.read(scope, (k) => query.compile(k))
  return {
    areaId: row.area_id,
    ride: {
      startedAt,
      endedAt: row.ended_at?.getTime() ?? kit.clock.now(),
      distanceM: row.distance_m ?? 0,
      returnKind: row.return_kind === null ? 'in_place' : known(returnKinds, row.return_kind),
      benefits: benefitsOf(row.benefits),
      spentByDay: Object.fromEntries(spent.map(({ day, cents }) => [day, cents])),
    },
    chargedCents: row.charged_cents,
  }
}
