import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatPageMax } from '@saddle/contract/support/chat.ts'
import { createOrganisation } from '#organisation/public.ts'
import { chatMessageTopic, createSupport } from '#support/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { chatRate } from './rules.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const chat = createSupport(kit, { organisation: createOrganisation(kit) }).handlers

const everywhere = { agentIds: [2, 3, 4], areaIds: [] }
const support = sessionCall({ operatorId: 1, agentId: 2, grant: everywhere, name: '林知远' })
const dong = sessionCall({ operatorId: 30, agentId: 3, grant: { agentIds: [3], areaIds: [] }, name: '沈一诺' })
const xi = sessionCall({ operatorId: 40, agentId: 4, grant: { agentIds: [4], areaIds: [] }, name: '何乐' })

const published: unknown[] = []
const stop = kit.bus.subscribe(chatMessageTopic, (event) => {
  published.push(event)
})
afterAll(stop)

beforeAll(async () => {
  await owner
    .insertInto('agent')
    .values([
      { id: 2, company: '平台' },
      { id: 3, parent_id: 2, company: '东湖出行' },
      { id: 4, parent_id: 2, company: '西山出行' },
    ])
    .execute()
  const operator = (id: number, agentId: number, name: string) => ({
    id,
    agent_id: agentId,
    name,
    op_man_id: id.toString(16).padStart(24, '0'),
    phone_hash: `hash ${id}`,
    phone_sealed: 'sealed',
    level: 2,
  })
  await owner
    .insertInto('operator')
    .values([operator(1, 2, '林知远'), operator(30, 3, '沈一诺'), operator(40, 4, '何乐')])
    .execute()
})

beforeEach(async () => {
  await owner.deleteFrom('chat_conversation').execute()
  await kit.bus.flush()
  published.length = 0
  kit.clock.advance(120_000)
})

const inbox = async (call = support) => (await chat.listConversations({ limit: 50 }, call)).data.list
const send = async (text: string, call = dong) => (await chat.sendMyMessage({ text }, call)).data
const texts = (answer: { data: { list: { text: string }[] } }) => answer.data.list.map((message) => message.text)

describe('registration', () => {
  const introduction = (changes = {}) => ({
    name: '随便写的名字',
    phone: dong.caller.phone,
    company: '随便写的公司',
    objectId: dong.token.userId,
    ...changes,
  })

  it('keeps what the session says and not what the page says, once', async () => {
    await chat.registerForSupport(introduction(), dong)
    await chat.registerForSupport(introduction(), dong)
    const rows = await owner.selectFrom('chat_conversation').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ operator_id: 30, operator_name: '沈一诺', company: '东湖出行', agent_id: 3 })
    expect(await inbox()).toEqual([])
  })

  it('is refused for another person', async () => {
    for (const changes of [{ phone: '13900000001' }, { objectId: xi.token.userId }]) {
      await expect(chat.registerForSupport(introduction(changes), dong)).rejects.toMatchObject({ code: 'forbidden' })
    }
    expect(await owner.selectFrom('chat_conversation').selectAll().execute()).toEqual([])
  })
})

describe('a conversation', () => {
  it('goes from the operator to support and back', async () => {
    const question = await send('车锁打不开，怎么办？')
    expect(question).toMatchObject({ fromSupport: false, authorName: '沈一诺', sentAt: kit.clock.now() })
    expect(await inbox()).toEqual([
      {
        id: question.conversationId,
        operatorName: '沈一诺',
        company: '东湖出行',
        lastText: '车锁打不开，怎么办？',
        lastAt: kit.clock.now(),
        unread: 1,
      },
    ])
    const { conversationId } = question
    const answer = await chat.replyToConversation({ conversationId, text: '请先重启车辆' }, support)
    expect(answer.data).toMatchObject({ fromSupport: true, authorName: '林知远' })
    expect(texts(await chat.listMyMessages({ afterId: 0 }, dong))).toEqual(['车锁打不开，怎么办？', '请先重启车辆'])
    expect(texts(await chat.listMyMessages({ afterId: question.id }, dong))).toEqual(['请先重启车辆'])
  })

  it('is published after the commit, for the operator and the inbox of the agent', async () => {
    const message = await send('在吗')
    const answer = await chat.replyToConversation({ conversationId: message.conversationId, text: '在' }, support)
    await kit.bus.flush()
    expect(published).toEqual([
      { message, operatorId: 30, agentId: 3 },
      { message: answer.data, operatorId: 30, agentId: 3 },
    ])
  })

  it('keeps markup as the text that it is', async () => {
    const markup = '<img src=x onerror=alert(1)>'
    expect((await send(markup)).text).toBe(markup)
  })

  it('goes on although the header selects another agent or none', async () => {
    const narrowed = sessionCall({
      operatorId: 30,
      agentId: 3,
      grant: everywhere,
      scope: { agentIds: [], areaIds: [] },
    })
    await send('一', narrowed)
    expect(texts(await chat.listMyMessages({ afterId: 0 }, narrowed))).toEqual(['一'])
  })

  it('shows the latest page first and then what is new, without a gap', async () => {
    const count = chatPageMax + 5
    const first = await send('0')
    const rest = Array.from({ length: count - 1 }, (_, index) => ({
      agent_id: 3,
      conversation_id: first.conversationId,
      from_support: false,
      author_id: 30,
      author_name: '沈一诺',
      text: String(index + 1),
      sent_at: new Date(kit.clock.now()),
    }))
    await owner.insertInto('chat_message').values(rest).execute()
    const latest = texts(await chat.listMyMessages({ afterId: 0 }, dong))
    expect([latest.length, latest[0], latest.at(-1)]).toEqual([chatPageMax, '5', String(count - 1)])
    const after = texts(await chat.listMyMessages({ afterId: first.id }, dong))
    expect([after.length, after[0], after.at(-1)]).toEqual([chatPageMax, '1', String(chatPageMax)])
    await chat.listConversationMessages({ conversationId: first.conversationId, afterId: first.id }, support)
    expect((await inbox())[0]?.unread).toBe(count - 1 - chatPageMax)
  })

  it('keeps every message when many are sent at once', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => send(String(index))))
    const { data } = await chat.listMyMessages({ afterId: 0 }, dong)
    expect(data.list).toHaveLength(12)
    expect(new Set(data.list.map((message) => message.conversationId)).size).toBe(1)
    expect((await inbox())[0]?.unread).toBe(12)
  })

  it('cannot be flooded', async () => {
    for (let index = 0; index < chatRate.messagesPerMinute; index += 1) await send(String(index))
    await expect(send('还有')).rejects.toMatchObject({ code: 'too_many_requests' })
    await send('我没有刷屏', xi)
    kit.clock.advance(120_000)
    await send('现在可以了')
  })
})

describe('the inbox', () => {
  it('has unread ones first, then the latest; reading makes read', async () => {
    const first = await send('东湖的问题')
    kit.clock.advance(1_000)
    await send('西山的问题', xi)
    expect((await inbox()).map((row) => row.company)).toEqual(['西山出行', '东湖出行'])
    const { conversationId } = (await chat.listMyMessages({ afterId: 0 }, xi)).data.list[0] ?? first
    await chat.listConversationMessages({ conversationId, afterId: 0 }, support)
    expect((await inbox()).map((row) => [row.company, row.unread])).toEqual([
      ['东湖出行', 1],
      ['西山出行', 0],
    ])
    expect(await chat.listConversations({ limit: 1 }, support)).toMatchObject({ data: { list: [{ unread: 1 }] } })
  })

  it('of a franchisee shows, reads and answers only its own', async () => {
    const { conversationId } = await send('东湖的问题')
    expect(await inbox(xi)).toEqual([])
    const reading = chat.listConversationMessages({ conversationId, afterId: 0 }, xi)
    await expect(reading).rejects.toMatchObject({ code: 'not_found' })
    const replying = chat.replyToConversation({ conversationId, text: '冒充' }, xi)
    await expect(replying).rejects.toMatchObject({ code: 'not_found' })
    expect((await inbox())[0]?.unread).toBe(1)
    expect(texts(await chat.listMyMessages({ afterId: 0 }, dong))).toEqual(['东湖的问题'])
  })

  it('follows the header’s selection', async () => {
    await send('东湖的问题')
    const narrowed = { operatorId: 1, agentId: 2, grant: everywhere }
    expect(await inbox(sessionCall({ ...narrowed, scope: { agentIds: [4], areaIds: [] } }))).toEqual([])
    expect(await inbox(sessionCall({ ...narrowed, scope: { agentIds: [3], areaIds: [] } }))).toHaveLength(1)
  })

  it('shows nobody the messages of another', async () => {
    await send('东湖的问题')
    expect(texts(await chat.listMyMessages({ afterId: 0 }, xi))).toEqual([])
    expect(texts(await chat.listMyMessages({ afterId: 0 }, support))).toEqual([])
  })
})
