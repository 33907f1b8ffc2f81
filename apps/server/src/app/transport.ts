import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '@saddle/contract/errors.ts'
import type { Config } from '#kit/config.ts'
import type { Kit } from '#kit/kit.ts'
import type { TrustedHop } from './clientAddress.ts'

const loopbackPeer = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i
/** Headers that a proxy adds. */
const forwardedHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

const isForwarded = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  forwardedHeaders.some((name) => headers[name] !== undefined)

/**
 * A program or browser on this machine itself. The peer alone does not show it: behind a proxy on this machine
 * everybody's peer is loopback, and a foreign page can point a name of its own at 127.0.0.1. nginx speaks HTTP/1.0 to
 * a server unless told otherwise, also where it was told to add no header.
 */
export function isFromThisMachine(
  request: Pick<IncomingMessage, 'headers' | 'httpVersion'> & {
    readonly socket: { readonly remoteAddress?: string | undefined }
  },
): boolean {
  return (
    loopbackPeer.test(request.socket.remoteAddress ?? '') &&
    request.httpVersion !== '1.0' &&
    !isForwarded(request) &&
    loopbackHost.test(request.headers.host ?? '')
  )
}

/** https as far as the browser's end, or this machine itself, where nobody can listen in between. */
export function isSecureTransport(request: FastifyRequest): boolean {
  return request.protocol === 'https' || isFromThisMachine(request.raw)
}

/** The same for a WebSocket's upgrade, which Fastify does not see. */
export function isSecureUpgrade(request: IncomingMessage, isTrustedHop: TrustedHop | null): boolean {
  const isTrusted = isTrustedHop?.(request.socket.remoteAddress ?? '', 0) ?? false
  const protocol = String(request.headers['x-forwarded-proto'] ?? '')
  return (isTrusted && protocol.split(',').at(-1)?.trim() === 'https') || isFromThisMachine(request)
}

const yearSeconds = 31_536_000
const strictTransport = { 'strict-transport-security': `max-age=${yearSeconds}` }
/** What checks whether the server lives: it carries no secret and may not be able to speak https. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/**
 * Refuses plain http from other machines, unless it is allowed: an eavesdropper would get codes, cookies and amounts.
 * A browser that requests a page is redirected to the public https address, or gets an explanation.
 */
export function requireSecureTransport(http: FastifyInstance, { config, log }: Pick<Kit, 'config' | 'log'>): void {
  let isWarned = false
  http.addHook('onRequest', async (request, reply) => {
    if (!isWarned && config.trustProxy === false && isForwarded(request.raw)) {
      isWarned = true
      log.warn(
        'a request came through a proxy, and TRUST_PROXY is not set: no address and no https that it names is believed',
      )
    }
    if (request.protocol === 'https') {
      reply.headers(strictTransport)
      return
    }
    if (config.allowHttp || isFromThisMachine(request.raw) || probes.has(pathOf(request.url))) return
    if (wantsPage(request)) return sendElsewhere({ config, request, reply })
    throw new AppError('insecure_transport')
  })
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url

const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)

interface Elsewhere {
  readonly config: Config
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

function sendElsewhere({ config, request, reply }: Elsewhere): FastifyReply {
  const { publicUrl } = config
  if (publicUrl?.startsWith('https:') && request.url.startsWith('/'))
    return reply.redirect(publicUrl + request.url, 308)
  return reply.code(403).type('text/html; charset=utf-8').send(insecurePage)
}

const insecurePage = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>请使用 https 访问</title><h1>请使用 https 访问</h1>
<p>当前连接没有加密，验证码、登录信息和资金操作可能被窃听，因此服务器拒绝了这次访问。</p>
<p>管理员：请在服务器前面设置 https 代理（TRUST_PROXY、PUBLIC_URL），或者只在本机用 http://localhost 访问；
仅在可信的封闭网络中，可以设置 ALLOW_HTTP=true。</p></html>
`
