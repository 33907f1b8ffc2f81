import { sql } from 'kysely'
import { campaignTermsSchema, type CampaignTerms } from '@saddle/contract/marketing/campaigns.ts'
import { segmentTermsSchema, type SegmentTerms } from '@saddle/contract/marketing/segments.ts'
import { rowOf } from '#kit/db/rows.ts'
import { marketingWorld } from '../marketing.fixture.ts'

const foundRow = rowOf('campaign', 'c', [
  'state',
  'halt',
  'sent',
  'held_out',
  'control',
  'weekly',
  'capped',
  'audience',
])

/** A world with ways to make segments, campaigns, and riders many at a time. */
export async function campaignWorld() {
  const world = await marketingWorld()
  const { owner, kit, handlers, agentId, clerk } = world
  let names = 0
  const nameOf = (what: string): string => `${what} ${(names += 1)}`
  const segment = async (terms: Partial<SegmentTerms> = {}): Promise<number> =>
    (
      await handlers.createSegment(
        { agentId, terms: segmentTermsSchema.parse({ name: nameOf('人群'), ...terms }) },
        clerk,
      )
    ).data.id
  const campaign = async (terms: Partial<CampaignTerms> & Pick<CampaignTerms, 'segmentId'>): Promise<number> => {
    const usual = { name: nameOf('推送'), channel: 'message', title: '周末骑行', body: '来骑车', quiet: null } as const
    const own = terms.channel === 'coupon' ? { ...usual, title: '', body: '' } : usual
    const made = await handlers.createCampaign(
      { agentId, terms: campaignTermsSchema.parse({ ...own, ...terms }) },
      clerk,
    )
    return made.data.id
  }
  const act = (id: number, what: 'start' | 'pause' | 'resume' | 'cancel') =>
    handlers.actOnCampaign({ id, act: what }, clerk)
  /** So many riders of the company that share nothing but the company. */
  const manyRiders = async (count: number): Promise<void> => {
    await sql`
      insert into rider (agent_id, phone_hash, phone_sealed, created_at, last_active_at)
      select ${agentId}, 'many ' || n || ' ' || ${nameOf('')}, 'sealed', ${new Date(kit.clock.now())},
        ${new Date(kit.clock.now())}
      from generate_series(1, ${count}::integer) n`.execute(owner)
  }
  const found = async (id: number) => {
    const { rows } = await foundRow.select`from campaign c where c.id = ${id}`.execute(owner)
    return foundRow.present(rows[0]!)
  }
  return { ...world, segment, campaign, act, manyRiders, found }
}
