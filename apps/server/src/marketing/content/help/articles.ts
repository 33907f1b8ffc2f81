import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { helpArticlesMax, type HelpContent, type HelpState } from '@saddle/contract/marketing/help.ts'
import { picturesOf } from '@saddle/contract/marketing/helpText.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import { checkAreas, newAgentOf, type ContentCall } from '../checks.ts'
import type { ContentDeps } from '../deps.ts'
import { movedTo, published, shownState, withdrawn, type Publication } from './rules.ts'
import { publicationOf, publicationRow } from './store.ts'

const articleRow = rowsOf(
  publicationRow,
  rowOf('help_article', 'ha', ['id', 'agent_id', 'version', 'category', 'position', 'title']),
)

/** The article, when one of the scope's companies has it, locked until the end of the transaction. Throws not_found. */
async function lockArticle(
  tx: Tx,
  { id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> },
): Promise<RowOf<typeof articleRow>> {
  const { rows } = await articleRow.select`
    from help_article ha where ha.id = ${id} and ha.agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

const recordOf = ({ agentId, id }: { agentId: number; id: number }) => ({
  agentId,
  subjectKind: 'help_article',
  subjectId: id,
})

const photoIdsOf = ({ body, bodyEn }: HelpContent): string[] => [
  ...new Set([...picturesOf(body), ...picturesOf(bodyEn)]),
]

async function writeVersion(
  { kit, photos }: Pick<ContentDeps, 'kit' | 'photos'>,
  tx: Tx,
  made: { id: number; agentId: number; version: number; content: HelpContent; by: { id: number | null; name: string } },
): Promise<void> {
  const { id, agentId, version, content, by } = made
  const photoIds = photoIdsOf(content)
  await photos.share(tx, { agentId, purpose: 'help', ids: photoIds })
  await tx
    .insertInto('help_version')
    .values({
      article_id: id,
      version,
      agent_id: agentId,
      content: JSON.stringify(content),
      photo_ids: photoIds,
      made_at: new Date(kit.clock.now()),
      made_by_id: by.id,
      made_by: by.name,
    })
    .execute()
}

const columnsOf = (content: HelpContent) => ({
  category: content.category,
  title: content.title,
  title_en: content.titleEn,
  area_ids: [...new Set(content.areaIds)],
  pictures: photoIdsOf(content).length,
})

const lastPosition = (agentId: number, category: string) => sql<number>`
  (select coalesce(max(position), 0) + 1 from help_article where agent_id = ${agentId} and category = ${category})`

/** Writes a new article, at the end of its category. It is a draft. */
export async function createArticle(
  deps: Pick<ContentDeps, 'kit' | 'audit' | 'photos'>,
  call: ContentCall,
  { agentId, content }: { agentId: number | undefined; content: HelpContent },
): Promise<{ id: number; version: number }> {
  const agent = newAgentOf(call, agentId)
  const { kit, audit } = deps
  const at = new Date(kit.clock.now())
  const by = { id: call.caller.operatorId, name: call.caller.name }
  return kit.db.withScope(call.scope, async (tx) => {
    await checkAreas(tx, agent, content.areaIds)
    const { rows } = await countRow.select`
      from help_article where agent_id = ${agent} and state <> 'withdrawn'`.execute(tx)
    if ((rows[0]?.count ?? 0) >= helpArticlesMax) throw new AppError('help_full', { values: { max: helpArticlesMax } })
    const { id } = await tx
      .insertInto('help_article')
      .values({
        agent_id: agent,
        ...columnsOf(content),
        position: lastPosition(agent, content.category),
        created_at: at,
        changed_at: at,
        changed_by: by.name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeVersion(deps, tx, { id, agentId: agent, version: 1, content, by })
    await audit.act(tx, call, { ...recordOf({ agentId: agent, id }), action: 'help.create', after: { content } })
    return { id, version: 1 }
  })
}

/** Writes the next version of an article. Riders go on reading the one that is published. */
export async function changeArticle(
  deps: Pick<ContentDeps, 'kit' | 'audit' | 'photos'>,
  call: ContentCall,
  change: { id: number; version: number | undefined; content: HelpContent },
): Promise<{ id: number; version: number }> {
  const { id, content } = change
  const { kit, audit } = deps
  const by = { id: call.caller.operatorId, name: call.caller.name }
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await lockArticle(tx, { id, scope: call.scope })
    if (row.version !== change.version) throw new AppError('conflict')
    const agentId = row.agent_id
    await checkAreas(tx, agentId, content.areaIds)
    const version = row.version + 1
    await writeVersion(deps, tx, { id, agentId, version, content, by })
    const position = content.category === row.category ? row.position : lastPosition(agentId, content.category)
    await tx
      .updateTable('help_article')
      .set({
        ...columnsOf(content),
        position,
        version,
        changed_at: new Date(kit.clock.now()),
        changed_by: by.name,
      })
      .where('id', '=', id)
      .execute()
    if (content.category !== row.category) await closeGap(tx, { agentId, category: row.category })
    const record = { ...recordOf({ agentId, id }), action: 'help.change' }
    await audit.act(tx, call, { ...record, after: { content, version } })
    return { id, version }
  })
}

async function setPublication(tx: Tx, id: number, next: Publication): Promise<void> {
  await tx
    .updateTable('help_article')
    .set({
      state: next.state,
      live_version: next.liveVersion,
      next_version: next.nextVersion,
      next_at: next.nextAtMs === null ? null : new Date(next.nextAtMs),
    })
    .where('id', '=', id)
    .execute()
}

/** Publishes the latest version, now or at a moment. */
export async function publishArticle(
  { kit, audit }: Pick<ContentDeps, 'kit' | 'audit'>,
  call: ContentCall,
  asked: { id: number; version: number; at?: number | undefined },
): Promise<{ id: number; state: HelpState }> {
  const { id, version } = asked
  const nowMs = kit.clock.now()
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await lockArticle(tx, { id, scope: call.scope })
    if (row.version !== version) throw new AppError('conflict')
    const next = published(publicationOf(row), version, asked.at ?? nowMs, nowMs)
    await setPublication(tx, id, next)
    const after = { version, ...(next.nextAtMs !== null && { publishAt: next.nextAtMs }) }
    await audit.act(tx, call, { ...recordOf({ agentId: row.agent_id, id }), action: 'help.publish', after })
    return { id, state: shownState(next, nowMs) }
  })
}

/** Takes an article away from riders. */
export async function withdrawArticle(
  { kit, audit }: Pick<ContentDeps, 'kit' | 'audit'>,
  call: ContentCall,
  { id }: { id: number },
): Promise<{ id: number; state: HelpState }> {
  const nowMs = kit.clock.now()
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await lockArticle(tx, { id, scope: call.scope })
    const next = withdrawn(publicationOf(row), nowMs)
    await setPublication(tx, id, next)
    await audit.act(tx, call, { ...recordOf({ agentId: row.agent_id, id }), action: 'help.withdraw' })
    return { id, state: shownState(next, nowMs) }
  })
}

const placeRow = rowOf('help_article', 'ha', ['id', 'position'])

/** The articles of a category in their order, locked. */
async function lockCategory(tx: Tx, { agentId, category }: { agentId: number; category: string }) {
  const { rows } = await placeRow.select`
    from help_article ha where ha.agent_id = ${agentId} and ha.category = ${category}
    order by ha.position, ha.id for update`.execute(tx)
  return rows
}

async function setOrder(tx: Tx, rows: readonly RowOf<typeof placeRow>[], ids: readonly number[]): Promise<void> {
  const before = new Map(rows.map((row) => [row.id, row.position]))
  const moved = ids
    .map((id, index) => ({ id, position: index + 1 }))
    .filter((row) => before.get(row.id) !== row.position)
  if (moved.length === 0) return
  const places = unnest<(typeof moved)[number]>({
    rows: moved,
    alias: 'p',
    columns: { id: ['bigint', (row) => row.id], position: ['integer', (row) => row.position] },
  })
  await sql`update help_article ha set position = p.position from ${places} where ha.id = p.id`.execute(tx)
}

async function closeGap(tx: Tx, of: { agentId: number; category: string }): Promise<void> {
  const rows = await lockCategory(tx, of)
  await setOrder(
    tx,
    rows,
    rows.map(({ id }) => id),
  )
}

/** Moves an article within its category; the others make room. */
export async function moveArticle(
  { kit, audit }: Pick<ContentDeps, 'kit' | 'audit'>,
  call: ContentCall,
  { id, position }: { id: number; position: number },
): Promise<{ id: number; position: number; before: number }> {
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await lockArticle(tx, { id, scope: call.scope })
    const rows = await lockCategory(tx, { agentId: row.agent_id, category: row.category })
    const ids = movedTo(
      rows.map((one) => one.id),
      id,
      position,
    )
    const before = rows.findIndex((one) => one.id === id) + 1
    const after = ids.indexOf(id) + 1
    if (after !== before) {
      await setOrder(tx, rows, ids)
      const record = { ...recordOf({ agentId: row.agent_id, id }), action: 'help.move' }
      await audit.act(tx, call, { ...record, before: { position: before }, after: { position: after } })
    }
    return { id, position: after, before }
  })
}
