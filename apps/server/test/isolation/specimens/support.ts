import type { OtherSpecimens, Specimens } from './specimen.ts'

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
  listFeedback: () => ({}),
  exportFeedback: () => ({}),
  feedback: (of) => ({ id: of.feedbackIds[0] }),
  feedbackPhotos: (of) => ({ id: of.feedbackIds[0] }),
  feedbackSubjects: (of) => ({ kind: 'vehicle', word: of.vehicleNumber }),
  feedbackWorkers: () => ({}),
  openFeedback: (of) => ({
    kind: 'fault',
    priority: 'normal',
    title: 'isolation',
    text: 'isolation',
    subject: { kind: 'order', id: of.orderIds[0] },
  }),
  sayInFeedback: (of) => ({ id: of.feedbackIds[0], act: 'say', text: 'isolation' }),
  changeFeedback: (of) => ({ id: of.feedbackIds[0], act: 'close' }),
  assignFeedback: (of) => ({ id: of.feedbackIds[0], assigneeId: null }),
  prioritiseFeedback: (of) => ({ id: of.feedbackIds[0], priority: 'high' }),
  rateFeedback: (of) => ({ id: of.feedbackIds[0], rating: 5 }),
} satisfies Partial<Specimens>

const feedback = { kind: 'fault', priority: 'normal', title: 'isolation', text: 'isolation' } as const

export const otherSupportSpecimens = {
  listFeedback: [
    () => ({ filter: { word: 'asks', who: 'author' } }),
    (of) => ({ filter: { areaIds: [of.areaIds[0]] } }),
  ],
  feedbackSubjects: [
    (of) => ({ kind: 'order', word: of.vehicleNumber }),
    () => ({ kind: 'service_bill', word: 'FW' }),
    () => ({ kind: 'split_bill', word: 'FZ' }),
  ],
  openFeedback: [
    (of) => ({ ...feedback, subject: { kind: 'vehicle', id: of.vehicleIds[0] } }),
    (of) => ({ ...feedback, subject: { kind: 'service_bill', id: of.services.billId } }),
    (of) => ({ ...feedback, subject: { kind: 'split_bill', id: of.agentId * 10 + 1 } }),
    (of) => ({ ...feedback, ticketId: of.ticketIds[0] }),
  ],
} satisfies OtherSpecimens
