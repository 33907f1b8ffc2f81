import type { Specimens } from './specimen.ts'

export const supportSpecimens = {
  registerForSupport: (_, phone) => ({ name: 'n', phone, company: 'c', objectId: 'o' }),
  listMyMessages: () => ({}),
  sendMyMessage: () => ({ text: 'hello' }),
  listConversations: () => ({}),
  listConversationMessages: (of) => ({ conversationId: of.conversationId }),
  replyToConversation: (of) => ({ conversationId: of.conversationId, text: 'reply' }),
  ticketCounters: () => ({}),
  listTickets: () => ({}),
  ticket: (of) => ({ id: of.ticketIds[0] }),
  ticketPhotos: (of) => ({ id: of.ticketIds[0] }),
  ticketWorkers: () => ({}),
  openTicket: (of) => ({ kind: 'other', text: 'isolation', orderId: of.orderIds[0] }),
  resolveTicket: (of) => ({ id: of.ticketIds[0], finding: 'justified', reply: 'isolation' }),
  replyToTicket: (of) => ({ id: of.ticketIds[0], text: 'isolation' }),
  assignTickets: (of) => ({ ids: [of.ticketIds[0]], assigneeId: of.workerId }),
  transitionTickets: (of) => ({ ids: [of.ticketIds[0]], act: 'start' }),
  exportTickets: () => ({}),
} satisfies Partial<Specimens>
