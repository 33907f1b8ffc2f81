import { AppError } from '@saddle/contract/errors.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { languages } from '@saddle/contract/constants.ts'
import { noticeEvent, noticeEventNames, placeholdersOf } from '@saddle/contract/notices/events.ts'
import { templateLimits, type noticeTemplateEndpoints } from '@saddle/contract/notices/templates.ts'
import { noticeChannels } from '@saddle/contract/notices/words.ts'
import { sql } from 'kysely'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import type { Channels } from '../channels/channel.ts'
import { companyOf } from '#kit/company.ts'
import { emailPurpose, webhookPurpose } from '../keyed.ts'
import { sampleValues, written } from '../rules.ts'
import { readSetting, readWords } from '../store.ts'

interface Deps {
  readonly kit: Kit
  readonly audit: Audit
  readonly channels: Channels
  readonly openPhone: (sealed: string) => string
}

type Words = InputOf<typeof noticeTemplateEndpoints.previewNotice>
type Which = Pick<Words, 'event' | 'channel' | 'language'>

const versionRow = rowOf('notice_template', 't', ['version', 'title', 'body', 'made_at', 'made_by'])
const latestRow = rowOf('notice', 'n', ['values', 'at']).json<{ values: Readonly<Record<string, unknown>> }>()
const addressRow = rowOf('notice_address', 'a', ['email_sealed'])
const phoneRow = rowOf('operator', 'o', ['phone_sealed'])

export function createTemplateHandlers(deps: Deps): Handlers<typeof noticeTemplateEndpoints> {
  const { kit } = deps
  const { db } = kit
  return {
    noticeTemplates: async ({ agentId: asked }, call) => {
      const agentId = companyOf(call, asked)
      const wordsOf = await db.system((tx) => readWords(tx, agentId))
      const templates = noticeEventNames.flatMap((event) =>
        noticeChannels.flatMap((channel) =>
          languages.map((language) => {
            const { id: _, madeAt, ...words } = wordsOf(event, channel, language)
            const { kind } = noticeEvent(event)
            return Object.assign(words, { event, kind, channel, language, madeAt: madeAt?.getTime() ?? null })
          }),
        ),
      )
      return { suc: true, data: { agentId, templates } }
    },

    noticeTemplateVersions: async ({ agentId: asked, ...which }, call) => {
      const agentId = companyOf(call, asked)
      const rows = await db.read(call.scope, (k) =>
        versionRow.select`
          from notice_template t where ${isOf(agentId, which)}
          order by t.version desc limit ${templateLimits.versionsMax}`.compile(k),
      )
      return { suc: true, data: { versions: rows.map(versionRow.present) } }
    },

    saveNoticeTemplate: async ({ title, body, version, agentId, ...which }, call) => {
      checkWords({ ...which, title, body })
      await save(deps, call, { agentId: companyOf(call, agentId), which, version, words: { title, body } })
      return { suc: true, data: {} }
    },

    resetNoticeTemplate: async ({ version, agentId, ...which }, call) => {
      await save(deps, call, { agentId: companyOf(call, agentId), which, version, words: null })
      return { suc: true, data: {} }
    },

    previewNotice: async ({ agentId: asked, ...words }, call) => {
      checkWords(words)
      const { at, isReal, ...shown } = await preview(deps, call, companyOf(call, asked), words)
      return { suc: true, data: { ...shown, isReal, at: at?.getTime() ?? null } }
    },

    testNotice: async ({ agentId: asked, ...words }, call) => {
      checkWords(words)
      await test(deps, call, companyOf(call, asked), words)
      return { suc: true, data: {} }
    },
  }
}

const isOf = (agentId: number, { event, channel, language }: Which) => sql`
  t.agent_id = ${agentId} and t.event = ${event} and t.channel = ${channel} and t.language = ${language}`

/** Refuses a text that asks for what the event does not give. */
function checkWords({ event, title, body }: Pick<Words, 'event' | 'title' | 'body'>): void {
  const known = new Set(Object.keys(noticeEvent(event).variables))
  const unknown = [...placeholdersOf(title), ...placeholdersOf(body)].find((name) => !known.has(name))
  if (unknown !== undefined) throw new AppError('unknown_field', { values: { field: unknown } })
}

interface Saving {
  readonly agentId: number
  readonly which: Which
  readonly version: number
  readonly words: { readonly title: string; readonly body: string } | null
}

/** Appends a version behind the one that the person saw. */
async function save({ kit, audit }: Deps, call: SessionCall, saving: Saving): Promise<void> {
  const { agentId, which, version, words } = saving
  const { operatorId, name } = call.caller
  await kit.db.withScope(call.scope, async (tx) => {
    const { rows: before } = await versionRow.select`
      from notice_template t where ${isOf(agentId, which)} order by t.version desc limit 1`.execute(tx)
    if ((before[0]?.version ?? 0) !== version) throw new AppError('conflict')
    const { rows } = await sql`
      insert into notice_template (agent_id, event, channel, language, version, title, body, made_at, made_by_id, made_by)
      values (${agentId}, ${which.event}, ${which.channel}, ${which.language}, ${version + 1}, ${words?.title ?? null},
        ${words?.body ?? null}, ${new Date(kit.clock.now())}, ${operatorId}, ${name})
      on conflict (agent_id, event, channel, language, version) do nothing returning id`.execute(tx)
    if (rows.length === 0) throw new AppError('conflict')
    await audit.act(tx, call, {
      agentId,
      action: words === null ? 'notice.template_reset' : 'notice.template',
      subjectKind: 'notice_template',
      subjectId: which.event,
      before: { title: before[0]?.title ?? null, body: before[0]?.body ?? null },
      after: {
        channel: which.channel,
        language: which.language,
        title: words?.title ?? null,
        body: words?.body ?? null,
      },
    })
  })
}

/** The text with the values of the latest such event in the company, or with samples where there was none. */
async function preview({ kit }: Deps, call: SessionCall, agentId: number, words: Words) {
  const { event, language } = words
  const [latest] = await kit.db.read(call.scope, (k) =>
    latestRow.select`
      from notice n where n.agent_id = ${agentId} and n.event = ${event} order by n.id desc limit 1`.compile(k),
  )
  const values = latest?.values ?? sampleValues(event)
  return { ...written(words, { event, values, language }), isReal: latest !== undefined, at: latest?.at ?? null }
}

async function test(deps: Deps, call: SessionCall, agentId: number, words: Words): Promise<void> {
  const { kit, audit, channels } = deps
  const { channel, event } = words
  const { title, body } = await preview(deps, call, agentId, words)
  const now = kit.clock.now()
  if (channel === 'in_app') await deliverTest(deps, call, { ...words, title, body }, now)
  else {
    const to = await addressOf(deps, call, agentId, channel)
    if (to === null) throw new AppError('notice_no_address')
    if (channels[channel].state === 'off') throw new AppError('notice_channel_off')
    const id = `test-${call.caller.operatorId}-${now}`
    try {
      await channels[channel].send({ id, to, title, body, path: '', event, atMs: now, nowMs: now })
    } catch (error) {
      throw new AppError('notice_not_sent', { cause: error })
    }
  }
  await kit.db.withScope(call.scope, (tx) =>
    audit.act(tx, call, {
      agentId,
      action: 'notice.test',
      subjectKind: 'notice_template',
      subjectId: event,
      after: { channel, language: words.language },
    }),
  )
}

/** Puts the text into the caller's own inbox. */
async function deliverTest({ kit }: Deps, call: SessionCall, words: Words, now: number): Promise<void> {
  const { operatorId, agentId, name } = call.caller
  const at = new Date(now)
  const own = { agentIds: [agentId], areaIds: [], operatorId }
  const deliver = async (tx: Tx): Promise<void> => {
    const path = '/backend/notice-template'
    const subject = `test ${operatorId} ${Buffer.from(kit.random.bytes(8)).toString('hex')}`
    await sql`
      with made as (
        insert into notice (agent_id, event, subject, key, "values", path, at, spread_at)
        values (${agentId}, ${words.event}, ${subject}, ${subject}, '{}', ${path}, ${at}, ${at}) returning id)
      insert into notice_delivery (notice_id, agent_id, operator_id, operator_name, event, subject, channel, language, title,
        body, path, state, created_at, sent_at)
      select made.id, ${agentId}, ${operatorId}, ${name}, ${words.event}, ${subject}, 'in_app', ${words.language},
        ${words.title}, ${words.body}, ${path}, 'sent', ${at}, ${at} from made`.execute(tx)
  }
  await kit.db.withScope(own, deliver)
}

async function addressOf(
  { kit, openPhone }: Deps,
  call: SessionCall,
  agentId: number,
  channel: Exclude<Words['channel'], 'in_app'>,
): Promise<string | null> {
  const { operatorId, agentId: ownId } = call.caller
  const open = (purpose: string, sealed: string | null | undefined, context: number): string | null =>
    sealed === null || sealed === undefined
      ? null
      : kit.secrets.decryptText({ purpose, sealed, context: String(context) })
  if (channel === 'webhook') {
    const { webhookSealed } = await kit.db.system((tx) => readSetting(tx, agentId))
    return open(webhookPurpose, webhookSealed, agentId)
  }
  const own = { agentIds: [ownId], areaIds: [], operatorId }
  if (channel === 'email') {
    const [row] = await kit.db.read(own, (k) =>
      addressRow.select`from notice_address a where a.operator_id = ${operatorId}`.compile(k),
    )
    return open(emailPurpose, row?.email_sealed, operatorId)
  }
  const [row] = await kit.db.read(own, (k) => phoneRow.select`from operator o where o.id = ${operatorId}`.compile(k))
  return row?.phone_sealed === null || row === undefined ? null : openPhone(row.phone_sealed)
}
