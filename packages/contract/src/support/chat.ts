import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { phoneSchema } from '#contract/identity/login.ts'

export const chatTextMax = 1_000
export const chatPageMax = 100

/** Messages are text and are shown as text. */
export const chatMessageSchema = z.object({
  id: answeredIdSchema,
  conversationId: answeredIdSchema,
  fromSupport: z.boolean(),
  authorName: z.string(),
  text: z.string(),
  sentAt: instantSchema,
})
export type ChatMessage = z.infer<typeof chatMessageSchema>

export const conversationSchema = z.object({
  id: answeredIdSchema,
  operatorName: z.string(),
  company: z.string(),
  lastText: z.string(),
  lastAt: instantSchema,
  unread: z.int(),
})
export type Conversation = z.infer<typeof conversationSchema>

const textSchema = plainTextSchema.trim().min(1).max(chatTextMax)
const messagesAnswer = answerOf(z.object({ list: z.array(chatMessageSchema) }))

export const chatEndpoints = defineEndpoints({
  registerForSupport: {
    method: 'POST',
    path: `${basePath}/platform/support/register`,
    host: 'platform',
    permission: 'session',
    scope: 'self',
    idempotency: 'none',
    summary: '客服登记：把登录人介绍给客服，重复登记只更新资料',
    input: z.object({
      name: z.string().max(40),
      phone: phoneSchema,
      company: z.string().max(80),
      objectId: z.string().max(64),
    }),
    output: answerOf(z.object({ registered: z.literal(true) })),
  },
  listMyMessages: {
    method: 'GET',
    path: `${basePath}/platform/support/message`,
    host: 'platform',
    permission: 'session',
    scope: 'self',
    idempotency: 'none',
    summary: '本人与客服的对话，旧的在前；afterId 之后的为新消息',
    input: z.object({ afterId: z.coerce.number().int().nonnegative().default(0) }),
    output: messagesAnswer,
  },
  sendMyMessage: {
    method: 'POST',
    path: `${basePath}/platform/support/message`,
    host: 'platform',
    permission: 'session',
    scope: 'self',
    idempotency: 'key',
    summary: '给客服发一条消息',
    input: z.object({ text: textSchema }),
    output: answerOf(chatMessageSchema),
  },
  listConversations: {
    method: 'GET',
    path: `${basePath}/platform/support/conversation`,
    host: 'platform',
    permission: ['180101'],
    scope: 'agent',
    idempotency: 'none',
    summary: '客服收件箱：未读在前，其次按最近消息',
    input: z.object({ limit: z.coerce.number().int().min(1).max(chatPageMax).default(50) }),
    output: answerOf(z.object({ list: z.array(conversationSchema) })),
  },
  listConversationMessages: {
    method: 'GET',
    path: `${basePath}/platform/support/conversation/message`,
    host: 'platform',
    permission: ['180101'],
    scope: 'agent',
    idempotency: 'none',
    summary: '一个对话的消息；读取即视为已读',
    input: z.object({ conversationId: idSchema, afterId: z.coerce.number().int().nonnegative().default(0) }),
    output: messagesAnswer,
  },
  replyToConversation: {
    method: 'POST',
    path: `${basePath}/platform/support/conversation/message`,
    host: 'platform',
    permission: ['180101'],
    scope: 'agent',
    idempotency: 'key',
    summary: '客服回复',
    input: z.object({ conversationId: idSchema, text: textSchema }),
    output: answerOf(chatMessageSchema),
  },
})
