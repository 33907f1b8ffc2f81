import { sql, type RawBuilder } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  adTargetPages,
  adTargetsMax,
  isTargetPage,
  type AdLink,
  type AdTargetPage,
} from '@saddle/contract/marketing/ads.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

/** What a tap on a placement can open that has a name of its own: an activity, a card, a kind of coupon, an article. */

/** Name, whether it was ended, and when it ends by itself. */
const things: Readonly<Record<AdTargetPage, RawBuilder<unknown>>> = {
  activity: sql`select t.id, t.agent_id, t.name, t.state = 'ended' as is_ended, t.ends_at from activity t`,
  mall: sql`select t.id, t.agent_id, t.name, t.state = 'ended' as is_ended, t.on_to as ends_at from card_product t`,
  coupon: sql`
    select t.id, t.agent_id, t.name, t.state = 'off' as is_ended, null::timestamptz as ends_at from coupon_template t`,
  help: sql`
    select t.id, t.agent_id, t.title as name, t.state = 'withdrawn' as is_ended, null::timestamptz as ends_at
    from help_article t`,
}

export const targetColumns = rowOfValues({
  target_name: computed('text?', sql`target.name`),
  target_is_ended: computed('boolean?', sql`target.is_ended`),
  target_ends_at: computed('timestamptz?', sql`target.ends_at`),
})

interface ShownTarget {
  readonly targetName: string | null
  readonly targetIsEnded: boolean | null
  readonly targetEndsAt: number | null
}

/** The columns as the contract has them. */
export function presentTargetOf<T extends ShownTarget>({ targetIsEnded, targetEndsAt, ...shown }: T, nowMs: number) {
  return { ...shown, isTargetOver: targetIsEnded === true || (targetEndsAt !== null && targetEndsAt <= nowMs) }
}

/** Joins the one thing that the link of a version `v` opens. */
export const joinTarget = sql`left join lateral (${sql.join(
  adTargetPages.map(
    (page) => sql`
      select one.name, one.is_ended, one.ends_at from (${things[page]}) one
      where v.content #>> '{link,page}' = ${sql.lit(page)} and one.id = (v.content #>> '{link,id}')::bigint
        and one.agent_id = v.agent_id`,
  ),
  sql` union all `,
)}) target on true`

const offeredRow = rowOfValues({
  page: computed('text', sql`one.page`),
  id: computed('bigint', sql`one.id`),
  name: computed('text', sql`one.name`),
}).codes({ page: adTargetPages })

/** What links of a company can open and is not over, the newest first. */
export function selectTargets(of: { agentId: number; now: Date; scope: Pick<Scope, 'agentIds'> }) {
  const { agentId, now, scope } = of
  const parts = adTargetPages.map(
    (page) => sql`(
      select ${page}::text as page, found.id, found.name from (${things[page]}) found
      where found.agent_id = ${agentId} and found.agent_id = any (${scope.agentIds}::bigint[])
        and not found.is_ended and (found.ends_at is null or found.ends_at > ${now})
      order by found.id desc limit ${adTargetsMax})`,
  )
  return offeredRow.select`from (${sql.join(parts, sql` union all `)}) one`
}
export const presentTarget = offeredRow.present

const foundRow = rowOfValues({ id: computed('bigint', sql`one.id`) })

/** Throws ad_target_missing where the one thing that a link opens is not the company's. */
export async function checkTarget(tx: Tx, agentId: number, link: AdLink): Promise<void> {
  if (link.to !== 'page' || link.id === null) return
  if (!isTargetPage(link.page)) throw new AppError('ad_target_missing')
  const { rows } = await foundRow.select`
    from (${things[link.page]}) one where one.id = ${link.id} and one.agent_id = ${agentId}`.execute(tx)
  if (rows.length === 0) throw new AppError('ad_target_missing')
}
