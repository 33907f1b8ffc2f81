import { sql } from 'kysely'
import { adContentSchema } from '@saddle/contract/marketing/ads.ts'
import { helpContentSchema } from '@saddle/contract/marketing/help.ts'
import { telephoneContentSchema } from '@saddle/contract/marketing/telephones.ts'
import { createPhotos } from '#photos/public.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'

/** Help, telephone lines and placements that a call could reach for. */
export type ContentThings = {
  readonly articleId: number
  readonly lineId: number
  readonly placementId: number
  readonly helpPhotoId: string
  readonly adPhotoId: string
}

export const testHelp = helpContentSchema.parse({ category: 'start', title: 'help', body: 'text' })
export const testTelephone = telephoneContentSchema.parse({
  label: 'line',
  number: '400-123-4567',
  spans: [{ weekdays: [1, 2, 3, 4, 5], from: 540, to: 1_080 }],
})
export const testAd = adContentSchema.parse({
  name: 'ad',
  text: 'text',
  link: { to: 'none' },
  startsAt: 0,
})

/** A published article that the rider has read, a telephone line, and a placement that the rider saw; texts hold the marker. */
export async function addContent(options: {
  tx: Tx
  kit: Kit
  agentId: number
  areaId: number
  riderId: number
  marker: string
  at: Date
}): Promise<ContentThings> {
  const { tx, kit, agentId, areaId, riderId, marker, at } = options
  const photos = createPhotos(kit)
  const kept = { agentId, areaId: null, file: samples.png }
  const helpPhotoId = await photos.keep(tx, { ...kept, purpose: 'help' })
  const adPhotoId = await photos.keep(tx, { ...kept, purpose: 'placement' })
  const name = `${marker} content`
  const changed = { changed_at: at, changed_by: `${marker} clerk` }
  const made = { version: 1, agent_id: agentId, made_at: at, made_by: `${marker} clerk` }
  const article = await tx
    .insertInto('help_article')
    .values({
      agent_id: agentId,
      category: 'start',
      position: 1,
      state: 'published',
      live_version: 1,
      title: name,
      created_at: at,
      ...changed,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const articleId = article.id
  await tx
    .insertInto('help_version')
    .values({ article_id: articleId, content: JSON.stringify({ ...testHelp, title: name }), ...made })
    .execute()
  await tx
    .insertInto('help_reader')
    .values({ article_id: articleId, rider_id: riderId, agent_id: agentId, version: 1, first_at: at, last_at: at })
    .execute()
  await tx
    .insertInto('help_count')
    .values({ article_id: articleId, shard: 0, agent_id: agentId, readers: 1, views: 1 })
    .execute()
  const line = await tx
    .insertInto('telephone_line')
    .values({
      agent_id: agentId,
      label: marker,
      number: '400-123-4567',
      spans: JSON.stringify(testTelephone.spans),
      ...changed,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into telephone_holiday (agent_id, day, name) values (${agentId}, '2027-01-01', ${marker})`.execute(tx)
  const placement = await tx
    .insertInto('ad_placement')
    .values({ agent_id: agentId, slot: 'mine', state: 'on', name, starts_at: at, created_at: at, ...changed })
    .returning('id')
    .executeTakeFirstOrThrow()
  const placementId = placement.id
  await tx
    .insertInto('ad_version')
    .values({ placement_id: placementId, content: JSON.stringify({ ...testAd, name }), ...made })
    .execute()
  await tx
    .insertInto('ad_event')
    .values({ rider_id: riderId, event_id: 'isolation-event', agent_id: agentId, at })
    .execute()
  const seen = { placement_id: placementId, agent_id: agentId, impressions: 3, taps: 1 }
  const day = at.toISOString().slice(0, 10)
  await tx
    .insertInto('ad_rider_day')
    .values({ ...seen, rider_id: riderId, day })
    .execute()
  await tx
    .insertInto('ad_day')
    .values({ ...seen, area_id: areaId, day, shard: 0, riders: 1 })
    .execute()
  await tx
    .insertInto('ad_total')
    .values({ ...seen, shard: 0, riders: 1 })
    .execute()
  return { articleId, lineId: line.id, placementId, helpPhotoId, adPhotoId }
}
