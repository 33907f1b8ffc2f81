import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call, CookieOptions } from '#kit/call.ts'

type CookieHome = Pick<CookieOptions, 'path' | 'readable'>

/** Under which names a cookie may have come, the safest first. */
export const cookieNames = (name: string): readonly string[] => [`__Host-${name}`, `__Secure-${name}`, name]

/**
 * A handler's view of one HTTP call. With a cookie domain the session holds on all hosts of that domain; without it, and
 * on other names of this server, on the one host alone.
 */
export function callOf(request: FastifyRequest, reply: FastifyReply, cookieDomain: string | undefined): Call {
  const isHttps = request.protocol === 'https'
  const domain = cookieDomain !== undefined && isWithin(request.hostname, cookieDomain) ? cookieDomain : undefined
  const prefix = domain === undefined ? '__Host-' : '__Secure-'
  const nameOf = (name: string, options: CookieHome = {}): string => {
    const canBeHost = isHttps && !options.readable && (options.path ?? '/') === '/'
    return canBeHost ? prefix + name : name
  }
  return {
    requestId: request.id,
    address: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    host: request.host.toLowerCase(),
    // A plain `sid` set over http or by a sibling domain must not stand in for the `__Host-` one.
    cookie: (name) => request.cookies[isHttps && name !== '_t' ? prefix + name : name],
    setCookie: (name, value, options = {}) => {
      reply.setCookie(nameOf(name, options), value, {
        path: options.path ?? '/',
        ...(domain !== undefined && { domain }),
        httpOnly: !options.readable,
        sameSite: 'lax',
        secure: isHttps,
        ...(options.maxAgeMs === undefined ? {} : { maxAge: Math.floor(options.maxAgeMs / 1000) }),
      })
    },
    clearCookie: (name, options = {}) => {
      reply.clearCookie(nameOf(name, options), {
        path: options.path ?? '/',
        ...(domain !== undefined && { domain }),
        httpOnly: !options.readable,
        sameSite: 'lax',
        secure: isHttps,
      })
    },
  }
}

const isWithin = (host: string, domain: string): boolean => {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  return name === domain || name.endsWith(`.${domain}`)
}
