import { languages } from '@saddle/contract/constants.ts'
import { noticeEvent, noticeEventNames } from '@saddle/contract/notices/events.ts'
import type { DisturbingChannel, NoticeChannel } from '@saddle/contract/notices/words.ts'
import { businessDayOf, businessDayStart, minuteMs } from '@saddle/contract/time.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { Channels } from '../channels/channel.ts'
import { beginningOf, isDisturbing, written, type Beginning, type Rule } from '../rules.ts'
import { readDecisions, type Decisions } from '../store.ts'

export const spreadBatch = 200
/** People who hear of one notice. */
const receiversMax = 500

const noticeRow = rowOf('notice', 'n', [
  'id',
  'agent_id',
  'area_id',
  'event',
  'subject',
  'values',
  'path',
  'operator_ids',
  'codes',
  'at',
])
  .codes({ event: noticeEventNames })
  .json<{ values: Readonly<Record<string, unknown>> }>()
type NoticeRow = RowOf<typeof noticeRow>

const personRow = rowsOf(
  rowOf('operator', 'o', ['id', 'agent_id', 'name', 'language', 'notices', 'role_id', 'phone_sealed']).codes({
    language: languages,
  }),
  rowOfValues({ has_email: computed('boolean', sql`coalesce(a.email_sealed is not null, false)`) }),
)
type Person = RowOf<typeof personRow>

const lockRow = rowOfValues({
  held: computed('boolean', sql`pg_try_advisory_xact_lock(hashtext('notice spread'))`),
})

/** A delivery as it is written. */
interface NewDelivery extends Beginning {
  readonly notice: NoticeRow
  readonly agentId: number
  readonly person: Person | null
  readonly channel: NoticeChannel
  readonly language: (typeof languages)[number]
  readonly title: string
  readonly body: string
  readonly templateId: number | null
}

export interface Spread {
  readonly notices: number
  /** People who have something new in their inbox. */
  readonly operatorIds: readonly number[]
}

/**
 * Makes the deliveries of the notices that wait longest and marks them spread, in one transaction: killed in between, all of
 * it is done again. One server at a time, so that caps and repetitions are counted exactly.
 */
export async function spread(tx: Tx, { now, channels }: { now: Date; channels: Channels }): Promise<Spread> {
  const [lock] = (await lockRow.select``.execute(tx)).rows
  if (lock?.held !== true) return { notices: 0, operatorIds: [] }
  const { rows } = await noticeRow.select`
    from notice n where n.spread_at is null order by n.id limit ${spreadBatch}`.execute(tx)
  if (rows.length === 0) return { notices: 0, operatorIds: [] }
  const batch = await createBatch(tx, { now, channels })
  for (const notice of rows) await batch.add(notice)
  await insertDeliveries(tx, batch.deliveries, now)
  await sql`update notice set spread_at = ${now} where id = any (${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  const told = batch.deliveries.flatMap(({ person, channel }) =>
    person !== null && channel === 'in_app' ? [person.id] : [],
  )
  return { notices: rows.length, operatorIds: [...new Set(told)] }
}

async function createBatch(tx: Tx, { now, channels }: { now: Date; channels: Channels }) {
  const deliveries: NewDelivery[] = []
  const decisions = new Map<number, Decisions>()
  const people = new Map<string, readonly Person[]>()
  const used = new Map<string, number>()
  const counted = new Set<number>()

  const decisionsOf = async (agentId: number): Promise<Decisions> => {
    const known = decisions.get(agentId) ?? (await readDecisions(tx, agentId))
    decisions.set(agentId, known)
    return known
  }
  const peopleOf = async (notice: NoticeRow): Promise<readonly Person[]> => {
    const { agent_id: agentId, area_id: areaId, event, operator_ids: named, codes } = notice
    const key = JSON.stringify([agentId, areaId, event, named, codes])
    const known = people.get(key) ?? (await readPeople(tx, notice))
    people.set(key, known)
    return known
  }
  /** Counts what people were sent today, once for each. */
  const count = async (persons: readonly Person[]): Promise<void> => {
    const ids = persons.map(({ id }) => id).filter((id) => !counted.has(id))
    if (ids.length === 0) return
    for (const id of ids) counted.add(id)
    for (const row of await readUsed(tx, ids, now)) used.set(`${row.operator_id} ${row.channel}`, row.count)
  }

  const add = async (notice: NoticeRow): Promise<void> => {
    const event = noticeEvent(notice.event)
    const persons = (await peopleOf(notice)).filter(
      ({ notices }) => event.kind === 'security' || notices.includes(event.kind),
    )
    const repeated = await readRepeated(tx, notice, now)
    await count(persons)
    for (const person of persons) {
      const { rules, setting, wordsOf } = await decisionsOf(person.agent_id)
      const rule = rules.get(notice.event)
      if (rule === undefined || !isInRoles(rule, person)) continue
      for (const channel of rule.channels) {
        if (channel === 'webhook') continue
        const key = `${person.id} ${channel}`
        const beginning = beginningOf({
          channel,
          nowMs: now.getTime(),
          isUrgent: rule.isUrgent,
          quiet: { from: setting.quietFrom, to: setting.quietTo },
          usedToday: used.get(key) ?? 0,
          cap: isDisturbing(channel) ? capOf(setting, channel) : 0,
          isRepeated: repeated !== null && repeated > now.getTime() - rule.repeatMinutes * minuteMs,
          hasAddress: channel !== 'email' || person.has_email,
          isConfigured: channel === 'in_app' || channels[channel].state !== 'off',
        })
        if (beginning.state === 'queued') used.set(key, (used.get(key) ?? 0) + 1)
        const { language } = person
        const words = wordsOf(notice.event, channel, language)
        deliveries.push({
          ...beginning,
          ...written(words, { event: notice.event, values: notice.values, language }),
          notice,
          agentId: person.agent_id,
          person,
          channel,
          language,
          templateId: words.id,
        })
      }
    }
    await addWebhook(notice)
  }
  /** A company's own system is told of what the company is told of. */
  const addWebhook = async (notice: NoticeRow): Promise<void> => {
    const { rules, setting, wordsOf } = await decisionsOf(notice.agent_id)
    if (setting.webhookSealed === null || rules.get(notice.event)?.channels.includes('webhook') !== true) return
    const words = wordsOf(notice.event, 'webhook', 'zh')
    deliveries.push({
      state: 'queued',
      reason: null,
      nextAt: now.getTime(),
      ...written(words, { event: notice.event, values: notice.values, language: 'zh' }),
      notice,
      agentId: notice.agent_id,
      person: null,
      channel: 'webhook',
      language: 'zh',
      templateId: words.id,
    })
  }
  return { deliveries, add }
}

const isInRoles = ({ roleIds }: Rule, { role_id: roleId }: Person): boolean =>
  roleIds === null || (roleId !== null && roleIds.includes(roleId))

const capOf = (setting: Decisions['setting'], channel: DisturbingChannel): number =>
  ({ email: setting.emailCap, sms: setting.smsCap, push: setting.pushCap })[channel]

async function readPeople(tx: Tx, notice: NoticeRow): Promise<readonly Person[]> {
  const { to, permissions } = noticeEvent(notice.event)
  const { agent_id: agentId, area_id: areaId, operator_ids: named } = notice
  const codes = notice.codes ?? permissions
  // People see their own company and those below it; who decides stands above.
  const companies: Readonly<Record<typeof to, RawBuilder<unknown>>> = {
    holders: sql`o.agent_id = ${agentId}`,
    above: sql`o.agent_id <> ${agentId} and ${agentId} in (select agent_and_below(o.agent_id))`,
    named: sql`${agentId} in (select agent_and_below(o.agent_id))`,
  }
  const isNamed = named === null ? sql`true` : sql`o.id = any (${named}::bigint[])`
  const mayKnow =
    codes.length === 0
      ? sql`true`
      : sql`exists (
          select from role join role_permission p on p.role_id = role.id
          where role.id = o.role_id and role.state = 'enabled' and p.code = any (${codes}::text[]))`
  const isInArea =
    areaId === null
      ? sql`true`
      : sql`(o.all_areas or exists (
          select from operator_area oa where oa.operator_id = o.id and oa.area_id = ${areaId}))`
  if (to === 'named' && named === null) return []
  const { rows } = await personRow.select`
    from operator o join agent on agent.id = o.agent_id left join notice_address a on a.operator_id = o.id
    where o.state = 'enabled' and agent.state = 'enabled' and ${companies[to]} and ${isNamed} and ${mayKnow} and ${isInArea}
    order by o.id limit ${receiversMax}`.execute(tx)
  return rows
}

const usedRow = rowsOf(
  rowOf('notice_delivery', 'd', ['operator_id', 'channel']),
  rowOfValues({ count: computed('bigint', sql`count(*)`) }),
)

async function readUsed(tx: Tx, operatorIds: readonly number[], now: Date) {
  const since = new Date(businessDayStart(businessDayOf(now.getTime())))
  const { rows } = await usedRow.select`
    from notice_delivery d
    where d.operator_id = any (${operatorIds}::bigint[]) and d.channel <> 'in_app' and d.created_at >= ${since}
      and d.state <> 'suppressed'
    group by d.operator_id, d.channel`.execute(tx)
  return rows
}

const latestRow = rowOfValues({ at: computed('timestamptz?', sql`max(n.at)`) })

/** When the company was last told the same of the same thing; null: never. */
async function readRepeated(tx: Tx, notice: NoticeRow, now: Date): Promise<number | null> {
  const { rows } = await latestRow.select`
    from notice n
    where n.agent_id = ${notice.agent_id} and n.event = ${notice.event} and n.subject = ${notice.subject}
      and n.id < ${notice.id} and n.at <= ${now}`.execute(tx)
  return rows[0]?.at?.getTime() ?? null
}

async function insertDeliveries(tx: Tx, rows: readonly NewDelivery[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into notice_delivery (notice_id, agent_id, operator_id, operator_name, event, subject, channel, language, title,
      body, path, template_id, state, reason, next_at, created_at, sent_at)
    select r.*, ${now}, case when r.state = 'sent' then ${now}::timestamptz end
    from ${unnest<NewDelivery>({
      rows,
      alias: 'r',
      columns: {
        notice_id: ['bigint', ({ notice }) => notice.id],
        agent_id: ['bigint', ({ agentId }) => agentId],
        operator_id: ['bigint', ({ person }) => person?.id ?? null],
        operator_name: ['text', ({ person }) => person?.name ?? ''],
        event: ['text', ({ notice }) => notice.event],
        subject: ['text', ({ notice }) => notice.subject],
        channel: ['text', ({ channel }) => channel],
        language: ['text', ({ language }) => language],
        title: ['text', ({ title }) => title],
        body: ['text', ({ body }) => body],
        path: ['text', ({ notice }) => notice.path],
        template_id: ['bigint', ({ templateId }) => templateId],
        state: ['text', ({ state }) => state],
        reason: ['text', ({ reason }) => reason],
        next_at: ['timestamptz', ({ nextAt }) => nextAt],
      },
    })}`.execute(tx)
}
