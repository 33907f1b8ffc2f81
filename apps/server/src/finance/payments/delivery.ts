import type { CallBack } from './channel.ts'

export type SandboxPost = {
  /** Whether the call-back was accepted; false also when there is no answer. */
  deliver(callBack: CallBack): Promise<boolean>
  /** From now on over HTTP to the platform at this address. */
  deliverTo(url: string): void
}

const TIMEOUT_MS = 10_000

/**
 * How the sandbox's call-backs travel: over HTTP to the route of all channels, so that the signature is checked over the
 * bytes as they came. Until a server listens, as in a worker that stands alone, they are handed over at once.
 */
export function createSandboxPost(handOver: (callBack: CallBack) => Promise<boolean>): SandboxPost {
  let address: string | null = null
  return {
    deliverTo: (url) => {
      address = `${url}/pay/callback/sandbox`
    },
    deliver: async (callBack) => {
      if (address === null) return handOver(callBack)
      const headers = Object.entries(callBack.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, value]],
      )
      const response = await fetch(address, {
        method: 'POST',
        headers: { ...Object.fromEntries(headers), 'content-type': 'application/json' },
        body: new Uint8Array(callBack.body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      })
      await response.arrayBuffer()
      return response.status === 200
    },
  }
}
