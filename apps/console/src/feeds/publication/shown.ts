import type { AnswerOf } from '@saddle/contract/endpoint.ts'
import type { feedEndpoints } from '@saddle/contract/feeds/publication.ts'

/** What the page has of one company. */
export type ShownPublication = AnswerOf<typeof feedEndpoints.feedPublication>['data']
