import { chatPageMax, type ChatMessage, type Conversation } from '@saddle/contract/support/chat.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

export interface Introduction {
  readonly agentId: number
  readonly operatorId: number
  readonly name: string
  readonly company: string
}

/** Creates the operator's conversation or updates its name and company; its row stays locked. */
export async function upsertConversation(options: { tx: Tx; who: Introduction; at: Date }): Promise<number> {
  const { tx, who, at } = options
  const { id } = await tx
    .insertInto('chat_conversation')
    .values({
      agent_id: who.agentId,
      operator_id: who.operatorId,
      operator_name: who.name,
      company: who.company,
      last_at: at,
    })
    .onConflict((conflict) =>
      conflict.column('operator_id').doUpdateSet({ operator_name: who.name, company: who.company }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locks a conversation of the scope; null when there is none. */
export async function lockConversation(options: {
  tx: Tx
  scope: Scope
  conversationId: number
}): Promise<{ agentId: number; operatorId: number } | null> {
  const row = await options.tx
    .selectFrom('chat_conversation')
    .select(['agent_id as agentId', 'operator_id as operatorId'])
    .where('id', '=', options.conversationId)
    .where((eb) => eb('agent_id', '=', eb.fn.any(eb.val(options.scope.agentIds))))
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export interface NewMessage {
  readonly agentId: number
  readonly conversationId: number
  readonly fromSupport: boolean
  readonly authorId: number
  readonly authorName: string
  readonly text: string
  readonly at: Date
}

const messageRow = rowOf('chat_message', 'm', [
  'id',
  'conversation_id',
  'from_support',
  'author_name',
  'text',
  'sent_at',
])

/** Adds a message to a conversation that the transaction has locked. */
export async function insertMessage(options: { tx: Tx; message: NewMessage }): Promise<ChatMessage> {
  const { tx, message } = options
  const { rows } = await messageRow.returning`
    insert into chat_message as m (agent_id, conversation_id, from_support, author_id, author_name, text, sent_at)
    values (${message.agentId}, ${message.conversationId}, ${message.fromSupport}, ${message.authorId},
      ${message.authorName}, ${message.text}, ${message.at})`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('an insert without conditions returns its row')
  await tx
    .updateTable('chat_conversation')
    .set((eb) => ({
      last_text: message.text,
      last_at: message.at,
      unread: message.fromSupport ? eb.ref('unread') : eb('unread', '+', 1),
    }))
    .where('id', '=', message.conversationId)
    .execute()
  return messageRow.present(row)
}

/** Up to a page of messages, the oldest first: the ones after `afterId`, or with 0 the latest. */
export async function findMessages(options: {
  db: Database
  scope: Scope
  operatorId: number
  afterId: number
}): Promise<ChatMessage[]> {
  const { db, scope, operatorId, afterId } = options
  const isIn = sql`m.agent_id = any (${scope.agentIds}::bigint[]) and m.conversation_id in (
    select c.id from chat_conversation c where c.operator_id = ${operatorId})`
  return oldestFirst(await db.read(scope, (k) => selectPage(isIn, afterId).compile(k)))
}

/** The same page of one conversation that the transaction has locked. */
export async function findMessagesOf(options: {
  tx: Tx
  conversationId: number
  afterId: number
}): Promise<ChatMessage[]> {
  const { tx, conversationId, afterId } = options
  const { rows } = await selectPage(sql`m.conversation_id = ${conversationId}`, afterId).execute(tx)
  return oldestFirst(rows)
}

function selectPage(isIn: RawBuilder<unknown>, afterId: number) {
  const direction = sql.raw(afterId === 0 ? 'desc' : 'asc')
  return messageRow.select`
    from chat_message m where ${isIn} and m.id > ${afterId} order by m.id ${direction} limit ${chatPageMax}`
}

function oldestFirst(rows: readonly RowOf<typeof messageRow>[]): ChatMessage[] {
  return rows.toSorted((a, b) => a.id - b.id).map((row) => messageRow.present(row))
}

/** Marks messages up to the last one shown as read by support. */
export async function markRead(options: { tx: Tx; conversationId: number; lastReadId: number }): Promise<void> {
  const { tx, conversationId, lastReadId } = options
  await tx
    .updateTable('chat_conversation')
    .set((eb) => ({
      unread: eb
        .selectFrom('chat_message')
        .select(sql<number>`count(*)`.as('count'))
        .where('conversation_id', '=', conversationId)
        .where('id', '>', lastReadId)
        .where('from_support', '=', false),
    }))
    .where('id', '=', conversationId)
    .execute()
}

/** The inbox of a scope: unread ones first, then by the latest message; conversations without messages are omitted. */
export async function findConversations(options: {
  db: Database
  scope: Scope
  limit: number
}): Promise<Conversation[]> {
  const { db, scope, limit } = options
  const rows = await db.read(scope, (k) =>
    k
      .selectFrom('chat_conversation')
      .select(['id', 'operator_name', 'company', 'last_text', 'last_at', 'unread'])
      .where((eb) => eb('agent_id', '=', eb.fn.any(eb.val(scope.agentIds))))
      .where('last_text', '<>', '')
      .orderBy(sql`unread > 0`, 'desc')
      .orderBy('last_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .compile(),
  )
  return rows.map((row) => ({
    id: row.id,
    operatorName: row.operator_name,
    company: row.company,
    lastText: row.last_text,
    lastAt: row.last_at.getTime(),
    unread: row.unread,
  }))
}
