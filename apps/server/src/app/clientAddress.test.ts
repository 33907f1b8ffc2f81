import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { Config } from '#kit/config.ts'
import { clientAddressReader } from './clientAddress.ts'

const request = (peer: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage

test.each<[Config['trustProxy'], string, string | undefined, string]>([
  [false, '192.0.2.1', '203.0.113.66', '192.0.2.1'],
  [1, '192.0.2.1', '203.0.113.66', '203.0.113.66'],
  [1, '192.0.2.1', '127.0.0.1, 203.0.113.66', '203.0.113.66'],
  [1, '192.0.2.1', undefined, '192.0.2.1'],
  [['192.0.2.0/24'], '192.0.2.1', '203.0.113.66', '203.0.113.66'],
  [['192.0.2.0/24'], '198.51.100.5', '203.0.113.66', '198.51.100.5'],
])('with %j, %s forwarding %s is %s', (setting, peer, forwarded, address) => {
  expect(clientAddressReader(setting)(request(peer, forwarded))).toBe(address)
})
