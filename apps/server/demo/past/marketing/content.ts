import { sql } from 'kysely'
import {
  adSlotRules,
  adContentSchema,
  type AdContent,
  type AdLink,
  type AdSlot,
} from '@saddle/contract/marketing/ads.ts'
import { helpContentSchema } from '@saddle/contract/marketing/help.ts'
import { telephoneContentSchema, type TelephoneContent } from '@saddle/contract/marketing/telephones.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import { createAudit } from '#audit/public.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import {
  changeArticle,
  choosePlacements,
  countReport,
  createArticle,
  createLine,
  createPlacement,
  noteOpinion,
  noteReading,
  publishArticle,
  saveHolidays,
  selectTargets,
  switchPlacement,
  withdrawArticle,
} from '#marketing/demoDoor.ts'
import { createPhotos, type Photos } from '#photos/public.ts'
import { demoBanner } from '#demo/banners.ts'
import { demoAds, type DemoAd } from './ads.ts'
import { demoArticles } from './articles.ts'

/** Days of the past in which riders read and saw something. */
const pastDays = 24
const ridersMax = 90

const agentRow = rowOf('agent', 'g', ['id'])
const areaRow = rowOf('service_area', 's', ['id'])
const riderRow = rowOf('rider', 'r', ['id'])
const operatorRow = rowOf('operator', 'o', ['id', 'name'])
const knownRow = rowOfValues({
  lines: computed('boolean', sql`s.lines`),
  ads: computed('boolean', sql`s.ads`),
  articles: computed('boolean', sql`s.articles`),
})

interface Company {
  readonly kit: Kit
  readonly agentId: number
  readonly areaIds: readonly number[]
  readonly riderIds: readonly number[]
  readonly picture: (number: number) => Buffer
  readonly nowMs: number
  /** The first company has all articles, ads and lines; the others have some. */
  readonly isWhole: boolean
  readonly by: { readonly id: number; readonly name: string }
}

type Parts = { readonly kit: Kit; readonly audit: Audit; readonly photos: Photos }

/** The parts at a moment of the past. */
function partsAt(kit: Kit, atMs: number): Parts {
  const then = { ...kit, clock: { ...kit.clock, now: () => atMs } }
  return { kit: then, audit: createAudit(then), photos: createPhotos(then) }
}

const callOf = ({ agentId, areaIds, by }: Company) => ({
  caller: { sessionId: 0, operatorId: by.id, agentId, phone: '', name: by.name, permissions: new Set<string>() },
  scope: { ...scopeOfAgent(agentId, areaIds), operatorId: by.id },
  address: '127.0.0.1',
  requestId: 'demo',
})

/** Spreads numbers that follow each other. */
const mix = (value: number): number => (Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 3) >>> 0

/**
 * Help articles, telephone lines and ads of the demo's companies, and what riders did with them in the past. What a company has
 * already is left alone. Resolves to the number of companies that got some.
 */
export async function fillContent(kit: Kit, picture: (number: number) => Buffer): Promise<number> {
  const { db, clock } = kit
  const agents = await db.systemRead((k) =>
    agentRow.select`from agent g where exists (select from service_area s where s.agent_id = g.id) order by g.id limit 3`.compile(
      k,
    ),
  )
  let written = 0
  for (const [index, { id: agentId }] of agents.entries()) {
    const { lines, ads, articles } = await knownOf(kit, agentId)
    if (lines && ads && articles) continue
    const areas = await db.systemRead((k) =>
      areaRow.select`from service_area s where s.agent_id = ${agentId} order by s.id limit 20`.compile(k),
    )
    const riders = await db.systemRead((k) =>
      riderRow.select`
        from rider r where r.agent_id = ${agentId} and r.closed_at is null order by r.id limit ${ridersMax}`.compile(k),
    )
    const [by] = await db.systemRead((k) =>
      operatorRow.select`from operator o where o.agent_id = ${agentId} order by o.level, o.id limit 1`.compile(k),
    )
    if (by === undefined) continue
    const company = {
      kit,
      agentId,
      areaIds: areas.map(({ id }) => id),
      riderIds: riders.map(({ id }) => id),
      picture,
      nowMs: clock.now(),
      isWhole: index === 0,
      by,
    }
    // One that was cut short has some of them.
    if (!lines) await writeLines(company)
    if (!articles) await writeArticles(company)
    // Ads open articles, too.
    if (!ads) await writeAds(company)
    written += 1
  }
  return written
}

async function knownOf({ db }: Pick<Kit, 'db'>, agentId: number) {
  const [known] = await db.systemRead((k) =>
    knownRow.select`
      from (select exists (select from telephone_line t where t.agent_id = ${agentId}) as lines,
        exists (select from ad_placement p where p.agent_id = ${agentId}) as ads,
        exists (select from help_article h where h.agent_id = ${agentId}) as articles) s`.compile(k),
  )
  return known ?? { lines: false, ads: false, articles: false }
}

async function writeArticles(company: Company): Promise<void> {
  const { kit, agentId, nowMs, isWhole } = company
  const call = callOf(company)
  const articles = isWhole ? demoArticles : demoArticles.slice(0, 6)
  for (const [index, article] of articles.entries()) {
    const atMs = nowMs - (29 - index) * dayMs
    const parts = partsAt(kit, atMs)
    const withPicture = async (text: string): Promise<string> => {
      if (!text.includes('{picture}')) return text
      const file = company.picture(index * 3)
      const kept = { agentId, areaId: null, purpose: 'help', file, isUnattached: true } as const
      const photoId = await kit.db.system((tx) => parts.photos.keep(tx, kept))
      return text.replace('{picture}', `![${article.title}](photo:${photoId})`)
    }
    const content = helpContentSchema.parse({
      ...article,
      areaIds: index === 5 ? company.areaIds.slice(0, 1) : [],
      body: await withPicture(article.body),
      bodyEn: await withPicture(article.bodyEn),
    })
    const { id } = await createArticle(parts, call, { agentId, content })
    // One is still a draft, one is to be published later, and one was withdrawn.
    if (article.title.includes('发票')) continue
    const isPlanned = article.title.includes('春节')
    await publishArticle(parts, call, { id, version: 1, ...(isPlanned && { at: nowMs + 12 * dayMs }) })
    if (isPlanned) continue
    await readArticle(company, { id, index, sinceMs: atMs })
    if (article.title.includes('旧版')) await withdrawArticle(partsAt(kit, nowMs - 2 * dayMs), call, { id })
    if (index === 4 || index === 6) {
      const later = partsAt(kit, nowMs - 5 * hourMs)
      const next = { ...content, body: `${content.body}\n\n还有问题？请联系客服。` }
      await changeArticle(later, call, { id, version: 1, content: next })
      if (index === 6) await publishArticle(later, call, { id, version: 2 })
    }
  }
}

/** Riders read an article on some days, and some say whether it was useful. */
async function readArticle(
  { kit, agentId, riderIds, nowMs }: Company,
  { id, index, sinceMs }: { id: number; index: number; sinceMs: number },
): Promise<void> {
  await kit.db.system(async (tx) => {
    for (const [rank, riderId] of riderIds.entries()) {
      const drawn = mix(riderId * 31 + index * 977)
      if (drawn % 5 > 2) continue
      const span = Math.max(1, Math.floor((nowMs - sinceMs) / hourMs) - 1)
      const at = Math.min(nowMs - minuteMs, sinceMs + (drawn % span) * hourMs)
      const reading = { articleId: id, agentId, riderId, version: 1, nowMs: at }
      await noteReading(tx, reading)
      if (rank % 3 === 0) await noteReading(tx, { ...reading, nowMs: Math.min(nowMs, at + 2 * minuteMs) })
      if (drawn % 4 === 0) await noteOpinion(tx, reading, drawn % 28 === 0 || index === 5 ? 'useless' : 'useful')
    }
  })
}

const everyDay = [1, 2, 3, 4, 5, 6, 7]

async function writeLines(company: Company): Promise<void> {
  const { kit, agentId, areaIds, nowMs, isWhole } = company
  const parts = partsAt(kit, nowMs - 28 * dayMs)
  const call = callOf(company)
  const lines: Partial<TelephoneContent>[] = [
    {
      label: '客服热线',
      labelEn: 'Service line',
      number: '400-820-1234',
      spans: [{ weekdays: everyDay, from: 480, to: 1_320 }],
    },
    {
      label: '夜间值班',
      labelEn: 'Night line',
      number: '13812340001',
      priority: 6,
      spans: [{ weekdays: everyDay, from: 1_320, to: 120 }],
    },
    ...areaIds.slice(0, isWhole ? 3 : 1).map((areaId, index) => ({
      label: `服务区 ${index + 1} 门店`,
      labelEn: `Shop ${index + 1}`,
      number: `0512-6123${String(4_500 + index * 11)}`,
      areaIds: [areaId],
      priority: 3,
      isClosedOnHolidays: true,
      spans: [{ weekdays: [1, 2, 3, 4, 5], from: 540, to: 1_080 }],
    })),
    ...(isWhole
      ? [
          {
            label: '事故报案',
            labelEn: 'Accidents',
            number: '95518',
            priority: 9,
            spans: [{ weekdays: everyDay, from: 0, to: 1_440 }],
            state: 'off' as const,
          },
        ]
      : []),
  ]
  for (const line of lines) {
    await createLine(parts, call, { agentId, content: telephoneContentSchema.parse(line) })
  }
  const holidays = [
    { day: '2027-01-01', name: '元旦' },
    ...[5, 6, 7, 8, 9, 10, 11].map((day) => ({ day: `2027-02-${String(day).padStart(2, '0')}`, name: '春节' })),
  ]
  await saveHolidays(parts, call, { agentId, holidays })
}

async function writeAds(company: Company): Promise<void> {
  const { kit, agentId, nowMs, isWhole } = company
  const call = callOf(company)
  const targets = await kit.db.systemRead((k) =>
    selectTargets({ agentId, now: new Date(nowMs), scope: scopeOfAgent(agentId) }).compile(k),
  )
  const linkOf = ({ content: { link }, opens }: DemoAd): AdLink | undefined => {
    if (link?.to !== 'page' || opens === undefined) return link
    return { ...link, id: targets.find(({ page, name }) => page === link.page && name === opens)?.id ?? null }
  }
  const live: { id: number; slot: AdSlot; content: AdContent; untilMs: number }[] = []
  for (const [index, ad] of (isWhole ? demoAds : demoAds.slice(0, 3)).entries()) {
    const [from, to] = ad.days
    const atMs = nowMs + Math.min(from, -1) * dayMs
    const parts = partsAt(kit, atMs)
    const { ratio, minWidth } = adSlotRules[ad.slot]
    const size = { width: minWidth, height: Math.round((minWidth * ratio[1]) / ratio[0]) }
    const kept = {
      agentId,
      areaId: null,
      purpose: 'placement',
      file: demoBanner(index, size),
      isUnattached: true,
    } as const
    // The last one is text alone.
    const photoId = ad.steps.length === 0 ? null : await kit.db.system((tx) => parts.photos.keep(tx, kept))
    const content = adContentSchema.parse({
      ...ad.content,
      link: linkOf(ad),
      photoId,
      startsAt: nowMs + from * dayMs,
      endsAt: to === null ? null : nowMs + to * dayMs,
    })
    const { id } = await createPlacement(parts, call, { agentId, slot: ad.slot, content })
    const [start, ...others] = ad.steps
    if (start !== undefined) await switchPlacement(parts, call, { id, step: start })
    const untilMs = others.length > 0 ? nowMs - 4 * dayMs : nowMs
    live.push({ id, slot: ad.slot, content, untilMs })
    for (const step of others) await switchPlacement(partsAt(kit, untilMs), call, { id, step })
  }
  await seeAds(company, live)
}

/** Of a hundred impressions; a pop-up is in the way of what riders want. */
const tapPercent: Readonly<Record<AdSlot, number>> = { popup: 7, banner: 2, scan: 2, ride_end: 4, mine: 3 }
const slots: readonly AdSlot[] = ['popup', 'banner', 'scan', 'ride_end', 'mine']

/** What riders saw on past days: chosen as their app would, and reported as it reports. */
async function seeAds(
  { kit, agentId, areaIds, riderIds, nowMs }: Company,
  live: readonly { id: number; slot: AdSlot; content: AdContent; untilMs: number }[],
): Promise<void> {
  const [firstArea = 0] = areaIds
  const slotsOf = new Map(live.map(({ id, slot }) => [id, slot]))
  for (let day = pastDays; day >= 1; day -= 1) {
    await kit.db.system(async (tx) => {
      for (const riderId of riderIds) {
        const drawn = mix(riderId * 131 + day * 7_919)
        if (drawn % 3 !== 0) continue
        const at = nowMs - day * dayMs + (drawn % 600) * minuteMs
        const areaId = areaIds[riderId % Math.max(1, areaIds.length)] ?? firstArea
        const chosen = slots.flatMap((slot) =>
          choosePlacements({
            candidates: live.filter((one) => one.slot === slot && one.untilMs > at),
            slot,
            areaId,
            riderKey: String(riderId),
            nowMs: at,
            seen: new Map(),
            shown: adSlotRules[slot].shown,
          }),
        )
        const events = chosen.flatMap(({ id }, index) => {
          const name = `demo-${riderId}-${day}-${id}`
          const seen = { id: `${name}-i`, placementId: id, kind: 'impression' as const, at }
          const isTapped = mix(drawn + id * 17 + index) % 100 < tapPercent[slotsOf.get(id) ?? 'banner']
          return isTapped ? [seen, { ...seen, id: `${name}-t`, kind: 'tap' as const, at: at + 5_000 }] : [seen]
        })
        if (events.length > 0) await countReport(tx, { agentId, areaId, riderId, events, nowMs: at + minuteMs })
      }
    })
  }
}
