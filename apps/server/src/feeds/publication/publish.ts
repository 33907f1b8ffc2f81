import { createHash, createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { gbfsFeedNames, type GbfsFeeds } from '@saddle/contract/feeds/gbfs.ts'
import { feedReaderDays } from '@saddle/contract/feeds/publication.ts'
import { addDays, businessDayOf, minuteMs } from '@saddle/contract/time.ts'
import type { Geography } from '#geography/public.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { priceVersionOf, selectPriceInForce } from '#riding/public.ts'
import { readSetting } from '#settings/public.ts'
import { idKeyPurpose } from '../keyed.ts'
import { buildFeeds } from './build.ts'
import { checkFeeds } from './check.ts'
import type { GbfsFacts } from './facts.ts'
import {
  deleteReadingsBefore,
  formsOf,
  saveFeeds,
  selectPublicAreas,
  selectVehicles,
  type PublicArea,
  type TriedFeed,
  type VehicleRow,
} from './store.ts'

/** Feeds are made anew this often, twice within the time that they are good for. */
export const publishEveryMs = minuteMs / 2

const compress = promisify(gzip)
export interface PublishDeps {
  readonly kit: Kit
  readonly geography: Pick<Geography, 'inForce'>
  /** Where the platform answers. */
  readonly base: () => string
  /** The feeds as they are made; tests make some that do not fit. */
  readonly build?: (facts: GbfsFacts) => GbfsFeeds
}

/**
 * Makes the feeds of every area that is published, one area after the other. A feed that does not fit the standard is not
 * published: the one before stays, and what is wrong is noted. Resolves to the number of feeds that fitted.
 */
export async function publishFeeds(deps: PublishDeps): Promise<number> {
  const { kit } = deps
  const areas = await kit.db.systemRead((k) => selectPublicAreas().compile(k))
  let published = 0
  for (const area of areas) {
    try {
      published += await publishArea(deps, area)
    } catch (err) {
      // One area that cannot be read must not keep the others from being published.
      kit.log.error({ err, areaId: area.area_id }, 'the public feeds of an area were not made')
    }
  }
  const keptFrom = addDays(businessDayOf(kit.clock.now()), -feedReaderDays)
  await kit.db.system((tx) => deleteReadingsBefore(keptFrom).execute(tx))
  return published
}

async function publishArea(deps: PublishDeps, area: PublicArea): Promise<number> {
  const { kit, build = buildFeeds } = deps
  const facts = await readFacts(deps, area)
  const feeds = build(facts)
  const findings = checkFeeds(feeds)
  const tried: TriedFeed[] = []
  for (const name of gbfsFeedNames) {
    const wrong = findings.get(name) ?? []
    tried.push({ name, findings: wrong, made: wrong.length > 0 ? null : await packed(feeds[name]) })
  }
  const place = { areaId: area.area_id, agentId: area.agent_id }
  await kit.db.system((tx) => saveFeeds(tx, place, { feeds: tried, at: new Date(facts.at) }))
  return tried.filter(({ made }) => made !== null).length
}

async function packed(feed: unknown): Promise<NonNullable<TriedFeed['made']>> {
  const text = JSON.stringify(feed)
  const etag = createHash('sha256').update(text).digest('hex').slice(0, 32)
  return { body: await compress(text), bytes: Buffer.byteLength(text), etag }
}

/** Reads within the scope of the area alone, as a request of its company would. */
async function readFacts({ kit, geography, base }: PublishDeps, area: PublicArea): Promise<GbfsFacts> {
  const { db, clock, secrets } = kit
  const { area_id: areaId, agent_id: agentId } = area
  const scope: Scope = { agentIds: [agentId], areaIds: [areaId], operatorId: null }
  const at = clock.now()
  const idKey = secrets.decryptText({ purpose: idKeyPurpose, sealed: area.id_key_sealed, context: String(agentId) })
  const vehicles = await db.read(scope, (k) => selectVehicles(scope).compile(k))
  const fences = await geography.inForce(scope, { areaId, at })
  const [price] = await db.read(scope, (k) => selectPriceInForce({ scope, at: new Date(at) }).compile(k))
  const version = price === undefined ? null : priceVersionOf(price)
  return {
    at,
    areaId,
    areaName: area.area_name,
    company: area.company,
    contactEmail: area.contact_email,
    forms: formsOf(area.forms),
    vehicles: vehicles.map((row) => ({
      publicId: publicIdOf(idKey, row),
      model: row.model,
      state: row.state,
      lat: row.lat,
      lng: row.lng,
      batteryPercent: row.battery_percent,
      heardAt: row.heard_at?.getTime() ?? null,
    })),
    fences,
    price: version,
    reserveMinutes: await db.system((tx) => readSetting(tx, 'reservation_minutes', { agentId, areaId })),
    base: base(),
  }
}

/** Half of a hash: nobody can tell from two of them whether they are of one vehicle, and no two are equal. */
const publicIdLength = 22

/**
 * The id of a vehicle in public: another one after each trip, and the same one until then. The key is the company's own and
 * stays when the master secret is replaced, which is no trip.
 */
export const publicIdOf = (idKey: string, { id, trip_id: tripId }: Pick<VehicleRow, 'id' | 'trip_id'>): string =>
  createHmac('sha256', idKey)
    .update(`${id} ${tripId ?? 0}`)
    .digest('base64url')
    .slice(0, publicIdLength)
