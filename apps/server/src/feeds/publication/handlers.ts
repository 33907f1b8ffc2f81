import { AppError } from '@saddle/contract/errors.ts'
import { gbfsManifestPath } from '@saddle/contract/feeds/gbfs.ts'
import {
  feedReaderDays,
  feedReadersShown,
  vehicleFormDefaults,
  vehicleModelsMax,
  type feedEndpoints,
  type PublishedArea,
} from '@saddle/contract/feeds/publication.ts'
import { addDays, businessDayOf } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import { companyOf } from '#kit/company.ts'
import { randomToken } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import { idKeyPurpose } from '../keyed.ts'
import { feedPath } from './build.ts'
import { formsOf, selectFeeds, selectModels, selectReaders, selectSetting } from './store.ts'

interface Deps {
  readonly kit: Kit
  readonly audit: Audit
  readonly base: () => string
}

type FeedHandlers = Handlers<typeof feedEndpoints>

/** What a company publishes: its setting, its models, the feeds' health and who reads them. */
export function createFeedHandlers(deps: Deps): FeedHandlers {
  return { ...createReading(deps), ...createSaving(deps) }
}

function createReading({ kit, base }: Deps): Pick<FeedHandlers, 'feedPublication'> {
  const { db, clock } = kit
  return {
    feedPublication: async (input, call) => {
      const agentId = companyOf(call, input.agentId)
      const { scope } = call
      const since = addDays(businessDayOf(clock.now()), -feedReaderDays)
      const [settings, models, feeds, readers] = await Promise.all([
        db.read(scope, (k) => selectSetting(agentId).compile(k)),
        db.read(scope, (k) => selectModels(scope, agentId, vehicleModelsMax).compile(k)),
        db.read(scope, (k) => selectFeeds(scope, agentId).compile(k)),
        db.read(scope, (k) => selectReaders(scope, { agentId, since, max: feedReadersShown }).compile(k)),
      ])
      // Who narrowed the view to no area sees nothing of the company.
      const setting = scope.areaIds.length === 0 ? undefined : settings[0]
      const forms = formsOf(setting?.forms)
      return {
        suc: true,
        data: {
          agentId,
          manifestUrl: base() + gbfsManifestPath,
          isPublic: setting?.is_public ?? false,
          contactEmail: setting?.contact_email ?? null,
          version: setting?.version ?? 0,
          changedAt: setting?.changed_at.getTime() ?? null,
          changedBy: setting?.changed_by ?? null,
          models: models.map(({ model, vehicles }) =>
            Object.assign({ model, vehicles, isSet: forms.has(model) }, forms.get(model) ?? vehicleFormDefaults),
          ),
          areas: areasOf(feeds, base()),
          readers: readers.map(({ reader, area_count: areaCount, reads, last_at: lastAt }) => ({
            reader,
            areaCount,
            reads,
            lastAt: lastAt.getTime(),
          })),
        },
      }
    },
  }
}

type FeedRow = Awaited<ReturnType<ReturnType<typeof selectFeeds>['execute']>>['rows'][number]

function areasOf(rows: readonly FeedRow[], base: string): PublishedArea[] {
  const areas = new Map<number, Omit<PublishedArea, 'feeds'> & { feeds: PublishedArea['feeds'][number][] }>()
  for (const row of rows) {
    const { area_id: areaId, agent_id: agentId, area_name: areaName } = row
    const area = areas.get(areaId) ?? { areaId, agentId, areaName, url: base + feedPath(areaId, 'gbfs'), feeds: [] }
    areas.set(areaId, area)
    area.feeds.push({
      name: row.name,
      publishedAt: row.published_at?.getTime() ?? null,
      triedAt: row.tried_at.getTime(),
      findings: row.findings,
      bytes: row.bytes,
    })
  }
  return [...areas.values()]
}

function createSaving({ kit, audit }: Deps): Pick<FeedHandlers, 'saveFeedPublication' | 'saveVehicleForm'> {
  const { db, clock, random, secrets } = kit
  return {
    saveFeedPublication: async ({ agentId: asked, isPublic, contactEmail, version }, call) => {
      const agentId = companyOf(call, asked)
      const idKey = secrets.encryptText({ purpose: idKeyPurpose, text: randomToken(random), context: String(agentId) })
      const at = new Date(clock.now())
      await db.withScope(call.scope, async (tx) => {
        const { rows: before } = await selectSetting(agentId).execute(tx)
        if ((before[0]?.version ?? 0) !== version) throw new AppError('conflict')
        // The key of the ids stays with the first one: another key would be another id without a trip.
        const { rows } = await sql`
          insert into gbfs_setting (agent_id, is_public, contact_email, id_key_sealed, changed_at, changed_by)
          values (${agentId}, ${isPublic}, ${contactEmail}, ${idKey}, ${at}, ${call.caller.name})
          on conflict (agent_id) do update set is_public = excluded.is_public, contact_email = excluded.contact_email,
            version = gbfs_setting.version + 1, changed_at = excluded.changed_at, changed_by = excluded.changed_by
          where gbfs_setting.version = ${version} returning agent_id`.execute(tx)
        if (rows.length === 0) throw new AppError('conflict')
        await audit.act(tx, call, {
          agentId,
          action: 'feed.publication',
          subjectKind: 'feed',
          subjectId: agentId,
          before:
            before[0] === undefined ? null : { isPublic: before[0].is_public, contactEmail: before[0].contact_email },
          after: { isPublic, contactEmail },
        })
      })
      return { suc: true, data: { version: version + 1 } }
    },

    saveVehicleForm: async ({ agentId: asked, model, version, ...form }, call) => {
      const agentId = companyOf(call, asked)
      const at = new Date(clock.now())
      await db.withScope(call.scope, async (tx) => {
        const { rows: before } = await selectSetting(agentId).execute(tx)
        const forms = formsOf(before[0]?.forms)
        const previous = forms.get(model) ?? null
        forms.set(model, form)
        if (forms.size > vehicleModelsMax) throw new AppError('conflict')
        const { rows } = await sql`
          update gbfs_setting set forms = ${JSON.stringify(Object.fromEntries(forms))}::jsonb, version = version + 1,
            changed_at = ${at}, changed_by = ${call.caller.name}
          where agent_id = ${agentId} and version = ${version} returning agent_id`.execute(tx)
        if (rows.length === 0) throw new AppError('conflict')
        await audit.act(tx, call, {
          agentId,
          action: 'feed.model',
          subjectKind: 'feed',
          subjectId: model,
          before: previous,
          after: form,
        })
      })
      return { suc: true, data: { version: version + 1 } }
    },
  }
}
