import { setTimeout as sleep } from 'node:timers/promises'
import { createRiderClient } from '@saddle/client/riderClient.ts'
import { riderTicketEndpoints } from '@saddle/contract/support/riderTickets.ts'
import { createAsking } from './asking.ts'
import type { ApiAddress } from './nodes.ts'

const timeoutMs = 5_000
const pauseMs = 100

/**
 * An application of riders that writes one ticket for each of them: it asks again, at the next server, until it is answered, always with
 * the same request id. A ticket that was answered must be there once.
 */
export function startTickets(options: {
  readonly api: readonly ApiAddress[]
  readonly key: string
  readonly phones: readonly string[]
}) {
  const { api, key, phones } = options
  const asking = createAsking(api)
  const acknowledged: string[] = []
  let isAsking = true

  const run = async (): Promise<void> => {
    for (const [n, phone] of phones.entries()) {
      if (!isAsking) return
      const requestId = `fault-run-${n}`
      const input = { phone, kind: 'other' as const, text: '车座有点松', photos: [], requestId }
      const asked = await asking.ask(
        (url) => createRiderClient({ url, calls: riderTicketEndpoints, timeoutMs }).call(key, 'riderOpenTicket', input),
        () => false,
      )
      if (asked.is !== 'answered') return
      acknowledged.push(requestId)
      await sleep(pauseMs)
    }
  }
  const running = run()
  return {
    acknowledged,
    quieten: () => void (isAsking = false),
    stop: async () => {
      asking.stop()
      await running
    },
  }
}
