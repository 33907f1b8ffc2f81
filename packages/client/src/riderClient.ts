import type { Endpoint, OutputOf, RequestOf } from '@saddle/contract/endpoint.ts'
import { answerTimeoutMs, callJson } from './jsonCall.ts'

/** What a call answers with. */
export type RiderAnswer<E extends Endpoint> = OutputOf<E> extends { readonly data: infer D } ? D : never

/** Makes the calls of an application of riders, by its key; they are those rows of the contract that it is given. */
export function createRiderClient<const C extends Readonly<Record<string, Endpoint>>>(options: {
  readonly url: string
  readonly calls: C
  readonly timeoutMs?: number
}) {
  const { url, calls, timeoutMs = answerTimeoutMs } = options
  return {
    /** Makes a call. Throws an `ApiError`. */
    call: async <N extends keyof C & string>(
      key: string,
      name: N,
      input: RequestOf<C[N]>,
    ): Promise<RiderAnswer<C[N]>> => {
      const { method, path } = calls[name] as Endpoint
      const headers = { 'x-api-key': key }
      return (await callJson({ url, method, path, headers, input: input as object, timeoutMs })) as RiderAnswer<C[N]>
    },
  }
}
