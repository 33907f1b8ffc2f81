import { AppError } from '@saddle/contract/errors.ts'
import {
  boundarySchema,
  jurisdictionLimits,
  mdsUsageDays,
  type Boundary,
  type jurisdictionEndpoints,
} from '@saddle/contract/feeds/mds.ts'
import type { MdsAgency } from '@saddle/contract/feeds/agency.ts'
import { mdsPath, mdsTokenPath } from '@saddle/contract/feeds/mdsRecords.ts'
import { addDays, businessDayOf, dayMs } from '@saddle/contract/time.ts'
import { readGeoJson } from '@saddle/geo/features.ts'
import { ringFault } from '@saddle/geo/ring.ts'
import { areaM2Of } from '@saddle/geo/shape.ts'
import { sql } from 'kysely'
import { createWithin, holdCompany, type Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { companyOf } from '#kit/company.ts'
import { randomId, randomToken, sha256 } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import { readAgencies } from '../agency/health.ts'
import { boxOfAll } from './boundary.ts'
import {
  lockClient,
  lockJurisdiction,
  selectClients,
  selectJurisdictions,
  selectProvider,
  selectRings,
  type ClientRow,
  type JurisdictionRow,
} from './clientStore.ts'

/** What every client id begins with. */
const clientPrefix = 'mds_'
const m2PerKm2 = 1_000_000

interface Deps {
  readonly kit: Kit
  readonly audit: Audit
  /** Where the platform answers. */
  readonly base: () => string
}

type JurisdictionHandlers = Handlers<typeof jurisdictionEndpoints>

export function createJurisdictionHandlers(deps: Deps): JurisdictionHandlers {
  return { ...createShowing(deps), ...createJurisdictions(deps), ...createClients(deps) }
}

function createShowing({ kit, base }: Deps): Pick<JurisdictionHandlers, 'listJurisdictions'> {
  const { db, clock } = kit
  return {
    listJurisdictions: async ({ agentId: asked }, call) => {
      const agentId = companyOf(call, asked)
      const since = addDays(businessDayOf(clock.now()), -mdsUsageDays)
      const [provider] = await db.read(call.scope, (k) => selectProvider(agentId).compile(k))
      const rows = await db.read(call.scope, (k) => selectJurisdictions(agentId).compile(k))
      const clients = await db.read(call.scope, (k) => selectClients({ agentId, since }).compile(k))
      const agencies = await readAgencies(kit, call, agentId)
      const jurisdictions = rows.map((row) =>
        presentJurisdiction(row, {
          clients: clients.filter((client) => client.jurisdiction_id === row.id),
          agency: agencies.get(row.id) ?? null,
        }),
      )
      return {
        suc: true,
        data: {
          agentId,
          url: base() + mdsPath,
          tokenUrl: base() + mdsTokenPath,
          providerId: provider?.provider_id ?? null,
          version: provider?.version ?? 0,
          jurisdictions,
        },
      }
    },
  }
}

const presentJurisdiction = (
  row: JurisdictionRow,
  { clients, agency }: { readonly clients: readonly ClientRow[]; readonly agency: MdsAgency | null },
) => ({
  id: row.id,
  name: row.name,
  areaKm2: Math.round((row.boundary.reduce((sum, shape) => sum + areaM2Of(shape), 0) / m2PerKm2) * 100) / 100,
  polygons: row.boundary.length,
  createdAt: row.created_at.getTime(),
  createdBy: row.created_by,
  version: row.version,
  clients: clients.map(presentClient),
  agency,
})

const presentClient = (row: ClientRow) => ({
  id: row.id,
  name: row.name,
  clientId: row.client_id,
  expiresAt: row.expires_at.getTime(),
  createdAt: row.created_at.getTime(),
  createdBy: row.created_by,
  revokedAt: row.revoked_at?.getTime() ?? null,
  lastUsedAt: row.last_used_at?.getTime() ?? null,
  calls: row.calls,
  refused: row.refused,
})

type Jurisdictions = Pick<JurisdictionHandlers, 'saveMdsProvider' | 'createJurisdiction' | 'endJurisdiction'>

function createJurisdictions(deps: Deps): Jurisdictions {
  const { kit, audit } = deps
  const { db, clock, random } = kit
  return {
    saveMdsProvider: async ({ agentId: asked, providerId, version }, call) => {
      const agentId = companyOf(call, asked)
      await db.withScope(call.scope, async (tx) => {
        await holdCompany(tx, 'mds_jurisdiction', agentId)
        const [before] = (await selectProvider(agentId).execute(tx)).rows
        if ((before?.version ?? 0) !== version) throw new AppError('conflict')
        await saveProvider(tx, { agentId, providerId, at: new Date(clock.now()), by: call.caller.name })
        await audit.act(tx, call, {
          agentId,
          action: 'mds_provider.save',
          subjectKind: 'agent',
          subjectId: agentId,
          before: before === undefined ? null : { providerId: before.provider_id },
          after: { providerId },
        })
      })
      return { suc: true, data: { version: version + 1 } }
    },

    createJurisdiction: async ({ agentId: asked, name, areaIds, geoJson }, call) => {
      const agentId = companyOf(call, asked)
      const at = new Date(clock.now())
      const by = call.caller.name
      const id = await db.withScope(call.scope, async (tx) => {
        const boundary =
          geoJson === undefined ? await boundaryOfAreas(tx, call, { agentId, areaIds }) : boundaryOfGeoJson(geoJson)
        return createWithin({
          tx,
          call,
          audit,
          agentId,
          kind: 'mds_jurisdiction',
          action: 'mds_jurisdiction.create',
          limit: { max: jurisdictionLimits.perCompany, tooMany: 'jurisdictions_too_many' },
          count: async () => {
            const { rows: known } = await selectJurisdictions(agentId).execute(tx)
            if (known.some((row) => row.name === name)) throw new AppError('name_taken')
            return known.length
          },
          insert: async () => {
            const [provider] = (await selectProvider(agentId).execute(tx)).rows
            if (provider === undefined) await saveProvider(tx, { agentId, providerId: randomUuid(random), at, by })
            return tx
              .insertInto('mds_jurisdiction')
              .values({
                agent_id: agentId,
                name,
                boundary: JSON.stringify(boundary),
                ...boxOfAll(boundary),
                created_at: at,
                created_by: by,
              })
              .returning('id')
              .executeTakeFirstOrThrow()
          },
          after: { name, polygons: boundary.length, areaIds },
        })
      })
      return { suc: true, data: { id } }
    },

    endJurisdiction: async ({ id, version }, call) => {
      await db.withScope(call.scope, async (tx) => {
        const [row] = (await lockJurisdiction(call.scope, id).execute(tx)).rows
        if (row === undefined) throw new AppError('not_found')
        if (row.version !== version) throw new AppError('conflict')
        await tx.deleteFrom('mds_agency').where('jurisdiction_id', '=', id).execute()
        await tx
          .updateTable('mds_jurisdiction')
          .set({ ended_at: new Date(clock.now()), version: version + 1 })
          .where('id', '=', id)
          .execute()
        await audit.act(tx, call, {
          agentId: row.agent_id,
          action: 'mds_jurisdiction.end',
          subjectKind: 'mds_jurisdiction',
          subjectId: id,
          before: { name: row.name },
          after: {},
        })
      })
      return { suc: true, data: {} }
    },
  }
}

interface Provider {
  readonly agentId: number
  readonly providerId: string
  readonly at: Date
  readonly by: string
}

const saveProvider = (tx: Tx, { agentId, providerId, at, by }: Provider) =>
  sql`
  insert into mds_provider (agent_id, provider_id, changed_at, changed_by)
  values (${agentId}, ${providerId}, ${at}, ${by})
  on conflict (agent_id) do update set provider_id = excluded.provider_id, version = mds_provider.version + 1,
    changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(tx)

async function boundaryOfAreas(
  tx: Tx,
  call: SessionCall,
  asked: { readonly agentId: number; readonly areaIds: readonly number[] },
): Promise<Boundary> {
  const { rows } = await selectRings(call.scope, asked).execute(tx)
  if (rows.length !== new Set(asked.areaIds).size) throw new AppError('foreign_scope')
  return rows.map(({ ring }) => ({ ring, holes: [] }))
}

/** The polygons of a city's GeoJSON. Throws `boundary_invalid`. */
function boundaryOfGeoJson(text: string): Boundary {
  const refuse = (detail: string): never => {
    throw new AppError('boundary_invalid', { values: { detail } })
  }
  const features = readGeoJson(text)
  if (typeof features === 'string') return refuse('不是可以识别的 GeoJSON')
  const shapes = features.map(({ shape }) => shape)
  const polygons = shapes.flatMap((shape) => (shape !== null && 'ring' in shape ? [shape] : []))
  if (polygons.length === 0 || polygons.length < shapes.length) return refuse('辖区只能由多边形组成')
  const isWrong = polygons.some(({ ring, holes }) => [ring, ...holes].some((one) => ringFault(one) !== null))
  if (isWrong) return refuse('多边形的边相交或没有闭合')
  const parsed = boundarySchema.safeParse(polygons)
  return parsed.success ? parsed.data : refuse('多边形过多或顶点过多')
}

type Clients = Pick<JurisdictionHandlers, 'createMdsClient' | 'revokeMdsClient'>

function createClients({ kit, audit }: Deps): Clients {
  const { db, clock, random } = kit
  return {
    createMdsClient: async ({ jurisdictionId, name, days }, call) => {
      const secret = randomToken(random)
      const clientId = clientPrefix + randomId(random)
      const at = new Date(clock.now())
      const expiresAt = new Date(at.getTime() + days * dayMs)
      const id = await db.withScope(call.scope, async (tx) => {
        const [row] = (await lockJurisdiction(call.scope, jurisdictionId).execute(tx)).rows
        if (row === undefined) throw new AppError('not_found')
        const { agent_id: agentId } = row
        const known = countRow.select`from mds_client where agent_id = ${agentId} and revoked_at is null`
        return createWithin({
          tx,
          call,
          audit,
          agentId,
          kind: 'mds_client',
          action: 'mds_client.create',
          limit: { max: jurisdictionLimits.clientsPerCompany, tooMany: 'mds_clients_too_many' },
          count: async () => (await known.execute(tx)).rows[0]?.count ?? 0,
          insert: () =>
            tx
              .insertInto('mds_client')
              .values({
                agent_id: agentId,
                jurisdiction_id: jurisdictionId,
                name,
                client_id: clientId,
                secret_hash: sha256(secret),
                expires_at: expiresAt,
                created_at: at,
                created_by: call.caller.name,
              })
              .returning('id')
              .executeTakeFirstOrThrow(),
          after: { name, clientId, jurisdiction: row.name, expiresAt: expiresAt.getTime() },
        })
      })
      return { suc: true, data: { id, clientId, secret } }
    },

    revokeMdsClient: async ({ id }, call) => {
      await db.withScope(call.scope, async (tx) => {
        const [row] = (await lockClient(call.scope, id).execute(tx)).rows
        if (row === undefined) throw new AppError('not_found')
        const { agent_id: agentId, name } = row
        await tx
          .updateTable('mds_client')
          .set({ revoked_at: new Date(clock.now()) })
          .where('id', '=', id)
          .execute()
        await audit.act(tx, call, {
          agentId,
          action: 'mds_client.revoke',
          subjectKind: 'mds_client',
          subjectId: id,
          before: { name },
          after: {},
        })
      })
      return { suc: true, data: {} }
    },
  }
}
