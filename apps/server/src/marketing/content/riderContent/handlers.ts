import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { Language } from '@saddle/contract/constants.ts'
import { adSlotRules } from '@saddle/contract/marketing/ads.ts'
import { helpArticlesMax, type HelpContent } from '@saddle/contract/marketing/help.ts'
import { parseHelpText, plainHelpText } from '@saddle/contract/marketing/helpText.ts'
import type { riderContentEndpoints } from '@saddle/contract/marketing/riderContent.ts'
import { linesAt } from '@saddle/contract/marketing/telephones.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import { agentOfApp } from '#finance/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, countRow, rowOfValues } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { countReport, selectSeen } from '../ads/report.ts'
import { choosePlacements } from '../ads/rules.ts'
import { presentCandidate, selectCandidates } from '../ads/store.ts'
import type { ContentDeps } from '../deps.ts'
import { noteOpinion, noteReading, presentHead, readLive, selectLive } from '../help/reading.ts'
import { liveAt } from '../help/store.ts'
import { presentHoliday, presentOwn, selectHolidays, selectLines } from '../telephones/lines.ts'

/** Characters of an article that a list shows. */
const beginningChars = 80

/** The text of a language; Chinese where English is missing. */
function textOf({ title, body, titleEn, bodyEn }: HelpContent, language: Language) {
  return language === 'en' && titleEn !== ''
    ? { title: titleEn, body: bodyEn, language: 'en' as const }
    : { title, body, language: 'zh' as const }
}

/** Help, telephone lines and placements as the riders' applications see them. */
export function createRiderContentHandlers(deps: ContentDeps): Handlers<typeof riderContentEndpoints> {
  return { ...helpHandlers(deps), ...telephoneHandlers(deps), ...placementHandlers(deps), ...pictureHandlers(deps) }
}

type Of<K extends keyof typeof riderContentEndpoints> = Handlers<Pick<typeof riderContentEndpoints, K>>

const ensureRider = async (
  { riders }: Pick<ContentDeps, 'riders'>,
  tx: Tx,
  of: { readonly agentId: number; readonly phone: string },
): Promise<number> => {
  const [riderId = 0] = await riders.ensure(tx, [{ ...of, name: null }])
  return riderId
}

function helpHandlers(deps: ContentDeps): Of<'riderHelp' | 'riderReadHelp' | 'riderJudgeHelp'> {
  const { kit } = deps
  return {
    riderHelp: async ({ agentId, areaId, language, category, text }, call) => {
      const agent = agentOfApp(call, agentId)
      const asked = { agentId: agent, areaId, category, text, now: new Date(kit.clock.now()), limit: helpArticlesMax }
      const rows = await kit.db.systemRead((k) => selectLive(asked).compile(k))
      const list = rows.map(presentHead).map(({ id, content }) => {
        const { title, body, language: of } = textOf(content, language)
        const beginning = plainHelpText(body).slice(0, beginningChars)
        return { id, category: content.category, title, language: of, beginning }
      })
      return { suc: true, data: { list } }
    },

    riderReadHelp: async ({ agentId, phone, id, language }, call) => {
      const agent = agentOfApp(call, agentId)
      const nowMs = kit.clock.now()
      const { article, opinion } = await kit.db.system(async (tx) => {
        const live = await readLive(tx, { agentId: agent, id, nowMs })
        if (phone === undefined) return { article: live, opinion: 'none' as const }
        const riderId = await ensureRider(deps, tx, { agentId: agent, phone })
        const reading = { articleId: id, agentId: agent, riderId, version: live.version, nowMs }
        return { article: live, opinion: (await noteReading(tx, reading)).opinion }
      })
      const { title, body, language: of } = textOf(article.content, language)
      const { category } = article.content
      const head = { id, category, title, language: of, changedAt: article.changedAt }
      return { suc: true, data: { ...head, blocks: parseHelpText(body).map(mutableBlock), opinion } }
    },

    riderJudgeHelp: async ({ agentId, phone, id, isUseful }, call) => {
      const agent = agentOfApp(call, agentId)
      const nowMs = kit.clock.now()
      const opinion = isUseful ? 'useful' : 'useless'
      await kit.db.system(async (tx) => {
        const { version } = await readLive(tx, { agentId: agent, id, nowMs })
        const riderId = await ensureRider(deps, tx, { agentId: agent, phone })
        await noteOpinion(tx, { articleId: id, agentId: agent, riderId, version, nowMs }, opinion)
      })
      return { suc: true, data: { opinion } }
    },
  }
}

function telephoneHandlers({ kit }: ContentDeps): Of<'riderTelephones'> {
  return {
    riderTelephones: async ({ agentId, areaId, language }, call) => {
      const agent = agentOfApp(call, agentId)
      const [lines, holidays] = await Promise.all([
        kit.db.systemRead((k) => selectLines(agent).compile(k)),
        kit.db.systemRead((k) => selectHolidays(agent).compile(k)),
      ])
      const { open, nextAt } = linesAt(lines.map(presentOwn), {
        areaId: areaId ?? null,
        at: kit.clock.now(),
        holidays: new Set(holidays.map((row) => presentHoliday(row).day)),
      })
      const shown = open.map(({ label, labelEn, number }) => ({
        label: language === 'en' && labelEn !== '' ? labelEn : label,
        number,
      }))
      return { suc: true, data: { lines: shown, nextAt } }
    },
  }
}

function placementHandlers(deps: ContentDeps): Of<'riderPlacements' | 'riderReportPlacements'> {
  const { kit, riders } = deps
  return {
    riderPlacements: async ({ agentId, phone, areaId, slot, language }, call) => {
      const agent = agentOfApp(call, agentId)
      const nowMs = kit.clock.now()
      const [riderId] = await riders.idsByPhone(scopeOfAgent(agent), phone)
      const [candidates, seen] = await Promise.all([
        kit.db.systemRead((k) => selectCandidates({ agentId: agent, slot }).compile(k)),
        riderId === undefined
          ? []
          : kit.db.systemRead((k) => selectSeen({ agentId: agent, riderId, day: businessDayOf(nowMs) }).compile(k)),
      ])
      const chosen = choosePlacements({
        candidates: candidates.map(presentCandidate),
        slot,
        areaId,
        // A rider who is not known yet sees the same order afterwards.
        riderKey: phone,
        nowMs,
        seen: new Map(seen.map((row) => [row.placement_id, row.impressions])),
        shown: adSlotRules[slot].shown,
      })
      const list = chosen.map(({ id, content }) => {
        const { photoId, photoIdEn, text, textEn, link } = content
        const isEnglish = language === 'en'
        return {
          id,
          agentId: agent,
          slot,
          text: isEnglish && textEn !== '' ? textEn : text,
          photoId: isEnglish && photoIdEn !== null ? photoIdEn : photoId,
          link,
        }
      })
      return { suc: true, data: { list } }
    },

    riderReportPlacements: async ({ agentId, phone, areaId, events }, call) => {
      const agent = agentOfApp(call, agentId)
      const nowMs = kit.clock.now()
      const data = await kit.db.system(async (tx) => {
        const { rows } = await countRow.select`
          from service_area where id = ${areaId} and agent_id = ${agent}`.execute(tx)
        if (rows[0]?.count !== 1) throw new AppError('not_found')
        const riderId = await ensureRider(deps, tx, { agentId: agent, phone })
        return countReport(tx, { agentId: agent, areaId, riderId, events, nowMs })
      })
      return { suc: true, data }
    },
  }
}

function pictureHandlers({ kit, photos }: ContentDeps): Of<'riderPicture'> {
  return {
    riderPicture: async ({ agentId, id }, call) => {
      const agent = agentOfApp(call, agentId)
      const now = new Date(kit.clock.now())
      const [row] = await kit.db.systemRead((k) => selectShown({ agentId: agent, id, now }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      const purpose = row.is_help ? 'help' : 'placement'
      const [photo] = await photos.read(scopeOfAgent(agent), { purpose, ids: [id] })
      if (photo === undefined) throw new AppError('not_found')
      const { kind, width, height, base64 } = photo
      return { suc: true, data: { kind, width, height, base64 } }
    },
  }
}

/** Whether riders see a picture now, and in what. */
function selectShown({ agentId, id, now }: { agentId: number; id: string; now: Date }) {
  return rowOfValues({ is_help: computed('boolean', sql`s.is_help`) }).select`
    from (
      select true as is_help from help_version v
      join help_article ha on ha.id = v.article_id and v.version = ${liveAt(now)}
      where v.photo_ids @> array[${id}::uuid] and ha.agent_id = ${agentId}
      union all
      select false from ad_version v
      join ad_placement a on a.id = v.placement_id and v.version = a.version
      where v.photo_ids @> array[${id}::uuid] and a.agent_id = ${agentId} and a.state = 'on'
    ) s limit 1`
}

/** The contract's lists can be changed; what the parser returns cannot. */
function mutableBlock(block: ReturnType<typeof parseHelpText>[number]) {
  switch (block.kind) {
    case 'picture':
      return block
    case 'list':
      return { ...block, items: block.items.map((item) => [...item]) }
    case 'heading':
      return { kind: block.kind, spans: [...block.spans] }
    case 'paragraph':
      return { kind: block.kind, spans: [...block.spans] }
  }
}
