import type { statisticsEndpoints } from '@saddle/contract/operations/statistics.ts'
import type { AnswerOf } from '#kit/api/client.ts'

/** Figures of finished work over a span. */
export type Figures = AnswerOf<typeof statisticsEndpoints.workFigures>['data']
