import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { sealEnvelope } from '@saddle/contract/wire/envelope.ts'
import { nodeWireCrypto as crypto } from '@saddle/server/kit/wireCrypto.ts'
import { createClient } from '@saddle/server/test/client.ts'

interface BenchSeat {
  /** Whole HTTP requests for one vehicle's panel, each with a token of its own. */
  readonly requests: (count: number) => Buffer[]
}

/** Logs in through the real calls; the code is read from the outbox of the demo. */
export async function loginForBench(options: { url: string; dataDir: string; phone: string }): Promise<BenchSeat> {
  const { url, dataDir, phone } = options
  const client = createClient({ url })
  const page = await (await fetch(`${url}/console/`)).text()
  const serverKey = /"serverKey":"([^"]+)"/.exec(page)?.[1] ?? ''
  await client.login({ phone, serverKey, readCode: (to) => readCode(dataDir, to) })
  const { path } = vehicleEndpoints.singleDeviceInfo
  const { host } = new URL(url)
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const one = (): Buffer => {
    const key = client.session?.keys.encryptionKey
    if (key === undefined) throw new Error('not logged in')
    const jti = randomUUID().replaceAll('-', '')
    const binding = { method: 'GET', path, callId: jti, direction: 'request' } as const
    const params = sealEnvelope(crypto, key, binding, { number: 'SD100001' })
    const token = client.sign(client.tokenFor({ endpoint: { method: 'GET', path }, params, change: { jti } }))
    return Buffer.from(
      `GET ${path}?params=${params} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
  }
  return { requests: (count) => Array.from({ length: count }, one) }
}

/** The newest code that was sent to the phone, from the outbox of the demo. */
export async function readCode(dataDir: string, phone: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    try {
      const lines = readFileSync(join(dataDir, 'outbox', 'sms.jsonl'), 'utf8')
        .trim()
        .split('\n')
      const found = lines
        .map((line) => JSON.parse(line) as { phone: string; code: string })
        .findLast((line) => line.phone === phone)
      if (found !== undefined) return found.code
    } catch {
      // Not written yet.
    }
    await sleep(50)
  }
  throw new Error('no code arrived')
}
