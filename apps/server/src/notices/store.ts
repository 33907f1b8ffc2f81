import { languages, type Language } from '@saddle/contract/constants.ts'
import { noticeSettingDefaults, type NoticeSource } from '@saddle/contract/notices/config.ts'
import { noticeEventNames, type NoticeEventName } from '@saddle/contract/notices/events.ts'
import { noticeChannels, type NoticeChannel } from '@saddle/contract/notices/words.ts'
import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { defaultRule, defaultWords, type Rule, type Words } from './rules.ts'

/** What a company and those above it have decided of notices. The nearest one counts. */

const depthMax = 20

/** The company and those above it, the company first, by `depth`. */
const above = (agentId: number) => sql`
  with recursive above (id, parent_id, depth) as (
    select id, parent_id, 0 from agent where id = ${agentId}
    union all select a.id, a.parent_id, above.depth + 1 from agent a join above on a.id = above.parent_id
    where above.depth < ${depthMax})`

const depth = rowOfValues({ depth: computed('integer', sql`above.depth`) })

const ruleRow = rowsOf(
  rowOf('notice_rule', 'r', [
    'event',
    'channels',
    'role_ids',
    'is_urgent',
    'repeat_minutes',
    'version',
    'changed_at',
    'changed_by',
  ]).codes({ event: noticeEventNames }),
  depth,
)
type RuleRow = RowOf<typeof ruleRow>

export interface FoundRule extends Rule {
  readonly source: NoticeSource
  readonly version: number
  readonly changedAt: Date | null
  readonly changedBy: string | null
}

/** The rule of every event. Roles belong to one company: those of a company above say nothing here. */
export async function readRules(tx: Tx, agentId: number): Promise<Map<NoticeEventName, FoundRule>> {
  const { rows } = await ruleRow
    .query(
      (list) => sql`
      ${above(agentId)}
      select distinct on (r.event) ${list} from notice_rule r join above on above.id = r.agent_id
      order by r.event, above.depth`,
    )
    .execute(tx)
  const found = new Map(rows.map((row) => [row.event, row]))
  return new Map(noticeEventNames.map((event) => [event, ruleOf(event, found.get(event))]))
}

function ruleOf(event: NoticeEventName, row: RuleRow | undefined): FoundRule {
  if (row === undefined)
    return { ...defaultRule(event), source: 'default', version: 0, changedAt: null, changedBy: null }
  const isOwn = row.depth === 0
  return {
    channels: noticeChannels.filter((channel) => row.channels.includes(channel)),
    roleIds: isOwn ? row.role_ids : null,
    isUrgent: row.is_urgent,
    repeatMinutes: row.repeat_minutes,
    source: isOwn ? 'own' : 'above',
    version: isOwn ? row.version : 0,
    changedAt: row.changed_at,
    changedBy: row.changed_by,
  }
}

const settingRow = rowsOf(
  rowOf('notice_setting', 's', [
    'quiet_from',
    'quiet_to',
    'email_cap',
    'sms_cap',
    'push_cap',
    'webhook_sealed',
    'version',
    'changed_at',
    'changed_by',
  ]),
  depth,
)

/** Quiet hours and caps. A webhook is of one company and never of those below it. */
export async function readSetting(tx: Tx, agentId: number) {
  const { rows } = await settingRow
    .query(
      (list) => sql`
      ${above(agentId)}
      select ${list} from notice_setting s join above on above.id = s.agent_id order by above.depth limit 1`,
    )
    .execute(tx)
  const [row] = rows
  if (row === undefined) {
    const source: NoticeSource = 'default'
    return { ...noticeSettingDefaults, webhookSealed: null, source, version: 0, changedAt: null, changedBy: null }
  }
  const isOwn = row.depth === 0
  const source: NoticeSource = isOwn ? 'own' : 'above'
  return {
    quietFrom: row.quiet_from,
    quietTo: row.quiet_to,
    emailCap: row.email_cap,
    smsCap: row.sms_cap,
    pushCap: row.push_cap,
    webhookSealed: isOwn ? row.webhook_sealed : null,
    source,
    version: isOwn ? row.version : 0,
    changedAt: row.changed_at,
    changedBy: row.changed_by,
  }
}
export type FoundSetting = Awaited<ReturnType<typeof readSetting>>

const templateRow = rowsOf(
  rowOf('notice_template', 't', [
    'id',
    'event',
    'channel',
    'language',
    'version',
    'title',
    'body',
    'made_at',
    'made_by',
  ]).codes({ event: noticeEventNames, channel: noticeChannels, language: languages }),
  depth,
)

export interface FoundWords extends Words {
  readonly id: number | null
  readonly source: NoticeSource
  readonly version: number
  readonly madeAt: Date | null
  readonly madeBy: string | null
}

const keyOf = (event: NoticeEventName, channel: NoticeChannel, language: Language): string =>
  `${event} ${channel} ${language}`

/** The texts that are not those of the platform. */
export async function readWords(tx: Tx, agentId: number) {
  const { rows } = await templateRow
    .query(
      (list) => sql`
      ${above(agentId)}
      select distinct on (t.event, t.channel, t.language, above.depth) ${list}
      from notice_template t join above on above.id = t.agent_id
      order by t.event, t.channel, t.language, above.depth, t.version desc`,
    )
    .execute(tx)
  const found = new Map<string, FoundWords>()
  const versions = new Map<string, number>()
  for (const row of rows) {
    const key = keyOf(row.event, row.channel, row.language)
    if (row.depth === 0) versions.set(key, row.version)
    // A version without a text hands on to the company above.
    if (row.title === null || row.body === null || found.has(key)) continue
    found.set(key, {
      id: row.id,
      title: row.title,
      body: row.body,
      source: row.depth === 0 ? 'own' : 'above',
      version: 0,
      madeAt: row.made_at,
      madeBy: row.made_by,
    })
  }
  return (event: NoticeEventName, channel: NoticeChannel, language: Language): FoundWords => {
    const key = keyOf(event, channel, language)
    const version = versions.get(key) ?? 0
    const own = found.get(key)
    if (own !== undefined) return { ...own, version }
    const source: NoticeSource = 'default'
    return { ...defaultWords(event, language), id: null, source, version, madeAt: null, madeBy: null }
  }
}

/** Everything that a company has decided, for spreading a batch. */
export async function readDecisions(tx: Tx, agentId: number) {
  const [rules, setting, wordsOf] = [
    await readRules(tx, agentId),
    await readSetting(tx, agentId),
    await readWords(tx, agentId),
  ]
  return { rules, setting, wordsOf }
}
export type Decisions = Awaited<ReturnType<typeof readDecisions>>
