import { campaignTermsSchema } from '@saddle/contract/marketing/campaigns.ts'
import { segmentTermsSchema } from '@saddle/contract/marketing/segments.ts'
import type { Tx } from '#kit/db/pool.ts'

/** Segments and campaigns that a call could reach for. */
export type CampaignThings = { readonly segmentId: number; readonly campaignId: number }

export const testSegmentTerms = segmentTermsSchema.parse({ name: 'segment', withBanned: true })

/** A segment of all riders, a message to it that is paused and has reached the rider; every text holds the marker. */
export async function addCampaigns(options: {
  tx: Tx
  agentId: number
  riderId: number
  marker: string
  at: Date
}): Promise<CampaignThings> {
  const { tx, agentId, riderId, marker, at } = options
  const name = `${marker} segment`
  const by = `${marker} clerk`
  const { id: segmentId } = await tx
    .insertInto('segment')
    .values({ agent_id: agentId, name, created_at: at, changed_at: at, changed_by: by })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('segment_version')
    .values({
      segment_id: segmentId,
      version: 1,
      agent_id: agentId,
      terms: JSON.stringify({ ...testSegmentTerms, name }),
      made_at: at,
      made_by: by,
    })
    .execute()
  const terms = campaignTermsSchema.parse({
    name: `${marker} campaign`,
    segmentId,
    channel: 'message',
    title: `${marker} title`,
    body: `${marker} body`,
  })
  const { id: campaignId } = await tx
    .insertInto('campaign')
    .values({
      agent_id: agentId,
      name: terms.name,
      state: 'paused',
      halt: 'person',
      terms: JSON.stringify(terms),
      segment_id: segmentId,
      segment_version: 1,
      channel: terms.channel,
      holdout_percent: terms.holdoutPercent,
      created_at: at,
      created_by: by,
      changed_at: at,
      changed_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const own = { agent_id: agentId, rider_id: riderId }
  await tx
    .insertInto('campaign_rider')
    .values({ ...own, campaign_id: campaignId, outcome: 'sent', at })
    .execute()
  await tx
    .insertInto('rider_message')
    .values({ ...own, campaign_id: campaignId, title: terms.title, body: terms.body, sent_at: at })
    .execute()
  await tx
    .insertInto('rider_tag')
    .values({ ...own, tag: marker.slice(0, 20), made_at: at, made_by: by })
    .execute()
  return { segmentId, campaignId }
}
