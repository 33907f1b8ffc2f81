import { sql, type RawBuilder } from 'kysely'
import {
  helpCategories,
  helpContentSchema,
  helpList,
  helpOpinions,
  helpReaderList,
  helpVersionsMax,
  type HelpContent,
} from '@saddle/contract/marketing/help.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { settled, shownState, type Publication } from './rules.ts'

/** Content that is stored; what has no value yet gets its default. */
export const contentOf = (stored: unknown): HelpContent => helpContentSchema.parse(stored)

const storedStates = ['draft', 'published', 'withdrawn'] as const
export const publicationRow = rowOf('help_article', 'ha', ['state', 'live_version', 'next_version', 'next_at']).codes({
  state: storedStates,
})
export const publicationOf = (row: RowOf<typeof publicationRow>): Publication => ({
  state: row.state,
  liveVersion: row.live_version,
  nextVersion: row.next_version,
  nextAtMs: row.next_at?.getTime() ?? null,
})

/** The state that a list shows: the same as `shownState`. */
const stateAt = (now: Date): RawBuilder<unknown> => sql`
  case when ha.next_at <= ${now} then 'published' when ha.state <> 'published' and ha.next_at is not null then 'scheduled'
    else ha.state end`

/** The version that riders read at a moment: the same as `settled`. */
export const liveAt = (now: Date): RawBuilder<unknown> => sql`
  case when ha.next_at <= ${now} then ha.next_version else ha.live_version end`

const articleColumns = rowsOf(
  publicationRow,
  rowOf('help_article', 'ha', [
    'id',
    'agent_id',
    'category',
    'position',
    'title',
    'title_en',
    'area_ids',
    'version',
    'pictures',
    'created_at',
    'changed_at',
    'changed_by',
  ]),
  rowOf('agent', 'agent', ['company']),
  rowOfValues({
    views: computed('bigint', sql`c.views`),
    readers: computed('bigint', sql`c.readers`),
    useful: computed('bigint', sql`c.useful`),
    useless: computed('bigint', sql`c.useless`),
  }),
).codes({ category: helpCategories })

export const articleRows = tableList(helpList, {
  table: 'help_article',
  alias: 'ha',
  tenant: 'agent',
  columns: articleColumns,
  joins: sql`
    join agent on agent.id = ha.agent_id
    cross join lateral (
      select coalesce(sum(n.views), 0) as views, coalesce(sum(n.readers), 0) as readers,
        coalesce(sum(n.useful), 0) as useful, coalesce(sum(n.useless), 0) as useless
      from help_count n where n.article_id = ha.id and n.agent_id = ha.agent_id
    ) c`,
  sorts: {
    order: [
      ['category_rank', 'whole'],
      ['position', 'whole'],
    ],
    changed: ['changed_at', 'instant'],
  },
  find: ({ states, categories, text, areaIds, isUntranslated, id }, { now }: { readonly now: Date }) => ({
    narrowed: [id !== undefined && sql`ha.id = ${id}`],
    where: [
      states !== undefined && sql`(${stateAt(now)}) = any (${states}::text[])`,
      categories !== undefined && sql`ha.category = any (${categories}::text[])`,
      areaIds !== undefined && sql`(ha.area_ids = '{}' or ha.area_ids && ${areaIds}::bigint[])`,
      isUntranslated !== undefined && sql`(ha.title_en = '') = ${isUntranslated}`,
      text !== undefined &&
        sql`exists (
          select from help_version v
          where v.article_id = ha.id and v.version = ha.version and v.agent_id = ha.agent_id and strpos(lower(concat_ws(' ',
            v.content ->> 'title', v.content ->> 'body', v.content ->> 'titleEn', v.content ->> 'bodyEn')), lower(${text})) > 0)`,
    ],
  }),
})

export function presentArticle(row: RowOf<typeof articleColumns>, nowMs: number) {
  const publication = publicationOf(row)
  const { liveVersion, nextVersion, nextAtMs } = settled(publication, nowMs)
  const shown = articleColumns.present(row)
  return { ...shown, state: shownState(publication, nowMs), liveVersion, nextVersion, nextAt: nextAtMs }
}

const versionColumns = rowOf('help_version', 'v', ['version', 'content', 'made_at', 'made_by'])

/** What an article has said, the newest first. */
export function selectVersions({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return versionColumns.select`
    from help_version v
    where v.article_id = ${id} and v.agent_id = any (${scope.agentIds}::bigint[])
    order by v.version desc limit ${helpVersionsMax}`
}

export function presentVersion(row: RowOf<typeof versionColumns>) {
  return { ...versionColumns.present(row), content: contentOf(row.content) }
}

const readerColumns = rowsOf(
  rowOf('help_reader', 'h', [
    'id',
    'agent_id',
    'article_id',
    'rider_id',
    'version',
    'views',
    'opinion',
    'first_at',
    'last_at',
    'opinion_at',
  ]),
  rowOf('rider', 'r', ['phone_sealed', 'phone_hash']),
).codes({ opinion: helpOpinions })

export const readerRows = tableList(helpReaderList, {
  table: 'help_reader',
  alias: 'h',
  tenant: 'agent',
  columns: readerColumns,
  joins: sql`join rider r on r.id = h.rider_id`,
  sorts: { last: ['last_at', 'instant'] },
  find: ({ articleId, opinions = helpOpinions, ...span }) => ({
    runs: { column: 'opinion', type: 'text', values: opinions },
    narrowed: [articleId !== undefined && sql`h.article_id = ${articleId}`],
    where: spanOf('h.last_at', span),
  }),
})

export function presentReader(
  row: RowOf<typeof readerColumns>,
  maskedPhone: (row: RowOf<typeof readerColumns>) => string,
) {
  const { phoneSealed: _sealed, phoneHash: _hash, ...shown } = readerColumns.present(row)
  return { ...shown, phone: maskedPhone(row) }
}
