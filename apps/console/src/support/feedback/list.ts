import {
  feedbackEndpoints,
  feedbackFields,
  feedbackList,
  type FeedbackTicket,
} from '@saddle/contract/support/feedback.ts'
import { supportTicketEndpoints } from '@saddle/contract/support/tickets.ts'
import { listOf } from '#kit/list/declare.ts'

const shared = { list: feedbackList, call: feedbackEndpoints.listFeedback, fields: feedbackFields }

export const feedbackTickets = listOf({ ...shared, file: feedbackEndpoints.exportFeedback })

/** Those that the person has opened. */
export const ownFeedback = listOf({
  ...shared,
  name: 'own feedback',
  sort: { by: 'opened', direction: 'desc' },
})

export const viewPath = '/work/view-tickets'
export const newPath = '/work/new-work-order'
export const toFeedback = ({ id }: Pick<FeedbackTicket, 'id'>, path: string = viewPath): string =>
  `${path}?ticket=${id}`

/** Queries that a step of a ticket makes stale. */
export const staleFeedback = [
  feedbackEndpoints.listFeedback,
  feedbackEndpoints.feedback,
  feedbackEndpoints.feedbackWorkers,
  supportTicketEndpoints.ticket,
]

/** The id in an address; null for none. */
export function idIn(text: string | null): number | null {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}
