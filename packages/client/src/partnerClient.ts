import { partnerCalls, type PartnerCallName } from '@saddle/contract/partners/api.ts'
import type { z } from 'zod'
import { answerTimeoutMs, callJson } from './jsonCall.ts'

type Calls = typeof partnerCalls
export type PartnerInput<N extends PartnerCallName> = z.input<Calls[N]['input']>
export type PartnerPage<N extends PartnerCallName> = z.output<Calls[N]['output']>['data']
export type PartnerRow<N extends PartnerCallName> = PartnerPage<N>['list'][number]

export interface PartnerClient {
  /** One page. Throws an `ApiError`. */
  page<N extends PartnerCallName>(name: N, input: PartnerInput<N>): Promise<PartnerPage<N>>
  /** Every row, page after page. */
  rows<N extends PartnerCallName>(name: N, input: PartnerInput<N>): AsyncGenerator<PartnerRow<N>, void>
}

/** Reads the rows of a company by a partner's key: its calls, inputs and answers are those of the contract. */
export function createPartnerClient(options: {
  readonly url: string
  readonly key: string
  readonly timeoutMs?: number
}): PartnerClient {
  const { url, key, timeoutMs = answerTimeoutMs } = options
  const headers = { authorization: `Bearer ${key}` }
  const page: PartnerClient['page'] = async (name, input) => {
    const { path, output } = partnerCalls[name]
    const data = await callJson({ url, method: 'GET', path, headers, input, timeoutMs })
    return output.parse({ suc: true, data }).data
  }
  return {
    page,
    rows: async function* rows(name, input) {
      let cursor = input.cursor
      for (;;) {
        const { list, next } = await page(name, { ...input, cursor })
        yield* list
        if (next === null) return
        cursor = next
      }
    },
  }
}
