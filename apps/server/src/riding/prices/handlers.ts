import { returnKinds } from '@saddle/contract/riding/price.ts'
import type { ListedVersion, PriceVersion, priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { priceRide, type PricedRide } from '#riding/pricing/pricing.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { codeOf } from '#kit/codes.ts'
import { heldBenefitsOf } from '../orders/present.ts'
import { selectOrder } from '../orders/store.ts'
import { compare } from './compare.ts'
import { spentBefore } from './spent.ts'
import {
  findVersion,
  insertVersion,
  selectInForce,
  selectNext,
  selectOpenAreas,
  selectVersions,
  versionOf,
  withdrawPlanned,
} from './store.ts'

type Parts = { readonly kit: Pick<Kit, 'db' | 'clock'>; readonly audit: Audit }
/** A ride whose price is asked for. */
type Asked = { readonly ride: PricedRide; readonly chargedCents: number | null }

/** Price versions: what is in force, what was, what will be, and what a ride costs under any of them. */
export function createPriceHandlers({ kit, audit }: Parts): Handlers<typeof priceEndpoints> {
  const inForce = async (scope: Scope, atMs: number): Promise<PriceVersion[]> => {
    const rows = await kit.db.read(scope, (k) => selectInForce({ scope, at: new Date(atMs) }).compile(k))
    return rows.map(versionOf)
  }
  return {
    listPriceVersions: async ({ areaId }, { scope }) => {
      const nowMs = kit.clock.now()
      const planned = selectNext({ scope, at: new Date(nowMs) })
      const [current, next] = await Promise.all([inForce(scope, nowMs), kit.db.read(scope, (k) => planned.compile(k))])
      const ids = new Set(current.map(({ id }) => id))
      const mark = (version: PriceVersion, withdrawn: ListedVersion['withdrawn'] = null): ListedVersion => {
        const change = ids.has(version.id) ? next.find((row) => row.area_id === version.areaId) : undefined
        return {
          ...version,
          inForce: ids.has(version.id),
          next: change === undefined ? null : { name: change.name, validFrom: change.valid_from.getTime() },
          withdrawn,
        }
      }
      if (areaId === undefined) {
        const priced = new Set(current.map((version) => version.areaId))
        const open = await kit.db.read(scope, (k) => selectOpenAreas({ scope }).compile(k))
        const unpriced = open.filter((area) => !priced.has(area.areaId))
        return { suc: true, data: { list: current.map((version) => mark(version)), unpriced } }
      }
      const rows = await kit.db.read(scope, (k) => selectVersions({ scope, areaId }).compile(k))
      return {
        suc: true,
        data: { list: rows.map((row) => mark(versionOf(row), withdrawnOf(row))), unpriced: [] },
      }
    },

    publishPriceVersion: (asked, call) => publish({ kit, audit }, asked, call),

    withdrawPriceVersions: async ({ areaIds }, call) => {
      const { scope, caller } = call
      const by = { at: new Date(kit.clock.now()), operatorId: caller.operatorId, operatorName: caller.name }
      const list = await kit.db.withScope(scope, async (tx) => {
        await pricedAreas(tx, { scope, areaIds })
        const taken = (await withdrawPlanned(tx, { scope, areaIds, ...by })).map(versionOf)
        for (const version of taken) await note(audit, tx, call, 'price.withdraw', version)
        return taken
      })
      return { suc: true, data: { list } }
    },

    comparePrices: async ({ areaIds, rules }, { scope }) => ({
      suc: true,
      data: await compare(kit, scope, { areaIds, rules, current: await inForce(scope, kit.clock.now()) }),
    }),

    itineraryCost: async ({ orderId, ride, versionId, rules }, call) => {
      const { scope } = call
      const asked = orderId === undefined ? rideOf(ride) : await orderAsked({ kit, call, orderId })
      if (rules !== undefined) return answer(null, priceRide(rules, asked.ride), asked.chargedCents)
      const version =
        versionId === undefined
          ? (await inForce(scope, asked.ride.startedAt)).find(({ areaId }) => areaId === asked.ride.areaId)
          : await findVersion(kit.db, { id: versionId, scope })
      if (version === undefined || version === null) throw new AppError('price_missing')
      return answer(version, priceRide(version.rules, asked.ride), asked.chargedCents)
    },

    tryBenefit: async ({ benefit, ride: { minutes, ...facts } }, { scope }) => {
      const ride = { ...facts, endedAt: facts.startedAt + minutes * minuteMs, spentByDay: {} }
      const version = (await inForce(scope, kit.clock.now())).find(({ areaId }) => areaId === ride.areaId)
      if (version === undefined) throw new AppError('price_missing')
      const { lines, skipped, totalCents } = priceRide(version.rules, { ...ride, benefits: [benefit] })
      const plainCents = priceRide(version.rules, { ...ride, benefits: [] }).totalCents
      return { suc: true, data: { lines: [...lines], skipped: [...skipped], totalCents, plainCents } }
    },
  }
}

type Publication = InputOf<typeof priceEndpoints.publishPriceVersion>

/** A version of its own for each of the areas, all of them or none. */
async function publish(
  { kit, audit }: Parts,
  { areaIds, name, rules, validFrom }: Publication,
  call: SessionCall,
): Promise<{ suc: true; data: { list: PriceVersion[] } }> {
  const { scope, caller } = call
  const nowMs = kit.clock.now()
  if (validFrom !== undefined && validFrom < nowMs) {
    throw new AppError('bad_request', { values: { detail: '生效时间已经过去' } })
  }
  const list = await kit.db.withScope(scope, async (tx) => {
    const added: PriceVersion[] = []
    for (const area of await pricedAreas(tx, { scope, areaIds })) {
      const own = { agentId: area.agent_id, areaId: area.id, name, rules, authorName: caller.name }
      const id = await insertVersion(tx, {
        ...own,
        validFrom: new Date(validFrom ?? nowMs),
        authorId: caller.operatorId,
        createdAt: new Date(nowMs),
      })
      added.push({ id, ...own, areaName: area.name, validFrom: validFrom ?? nowMs, createdAt: nowMs })
    }
    for (const version of added) await note(audit, tx, call, 'price.publish', version)
    return added
  })
  return { suc: true, data: { list } }
}

const serviceAreaRow = rowOf('service_area', ['id', 'agent_id', 'name'])

/** The areas that are asked for. Throws foreign_scope when one of them is not of the scope. */
async function pricedAreas(tx: Tx, { scope, areaIds }: { scope: Scope; areaIds: readonly number[] }) {
  const { rows } = await serviceAreaRow.select`
    from service_area
    where id = any (${areaIds}::bigint[]) and ${tenantFilter('service_area', scope)}
    order by agent_id, id`.execute(tx)
  if (rows.length !== new Set(areaIds).size) throw new AppError('foreign_scope')
  return rows
}

const note = (
  audit: Audit,
  tx: Tx,
  call: SessionCall,
  action: 'price.publish' | 'price.withdraw',
  { id, agentId, areaId, name, validFrom }: PriceVersion,
) =>
  audit.act(tx, call, {
    agentId,
    areaId,
    action,
    subjectKind: 'price_version',
    subjectId: String(id),
    after: { areaId, name, validFrom },
  })

const withdrawnOf = (row: { withdrawn_at: Date | null; withdrawn_by: string | null }): ListedVersion['withdrawn'] =>
  row.withdrawn_at === null || row.withdrawn_by === null
    ? null
    : { at: row.withdrawn_at.getTime(), by: row.withdrawn_by }

function answer(version: PriceVersion | null, price: ReturnType<typeof priceRide>, chargedCents: number | null) {
  const data = {
    version,
    lines: [...price.lines],
    skipped: [...price.skipped],
    totalCents: price.totalCents,
    chargedCents,
  }
  return { suc: true as const, data }
}

type GivenRide = Omit<PricedRide, 'spentByDay' | 'model' | 'weather'>

function rideOf(ride: GivenRide | undefined): Asked {
  if (ride === undefined) throw new AppError('bad_request', { values: { detail: 'ride' } })
  return { ride: { ...ride, model: null, weather: null, spentByDay: {} }, chargedCents: null }
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
    ride: {
      startedAt,
      endedAt: row.ended_at?.getTime() ?? kit.clock.now(),
      distanceM: row.distance_m ?? 0,
      returnKind: row.return_kind === null ? 'in_place' : codeOf(returnKinds, row.return_kind),
      benefits: heldBenefitsOf(row.benefits),
      model: null,
      weather: null,
      areaId: row.area_id,
      spentByDay: Object.fromEntries(spent.map(({ day, cents }) => [day, cents])),
    },
    chargedCents: row.charged_cents,
  }
}
