import type { selfEndpoints } from '@saddle/contract/identity/self.ts'
import type { AnswerOf } from '#kit/api/client.ts'

/** The user's own account data. */
export type Own = AnswerOf<typeof selfEndpoints.selfSettings>['data']
