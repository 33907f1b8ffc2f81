import type { selfEndpoints } from '@saddle/contract/identity/self.ts'
import type { AnswerOf } from '#kit/api/client.ts'

/** What a person may know of and change about themselves. */
export type Own = AnswerOf<typeof selfEndpoints.selfSettings>['data']
