import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '#kit/config.ts'

/** Whether the hop with this address, counted from the nearest, is one of our own proxies. */
export type TrustedHop = (address: string, hop: number) => boolean

/** Which hops the setting names; null when there is no proxy in front. */
export function trustedHops(trustProxy: Config['trustProxy']): TrustedHop | null {
  if (trustProxy === false) return null
  // A number counts the proxies in front, nearest first.
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  return proxyAddr.compile(trustProxy)
}

/** The client's address of requests that Fastify does not see, by the rule that it follows for the others. */
export function clientAddressReader(trustProxy: Config['trustProxy']): (request: IncomingMessage) => string {
  const isTrusted = trustedHops(trustProxy)
  return (request) => (isTrusted === null ? (request.socket.remoteAddress ?? '') : proxyAddr(request, isTrusted))
}
