import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call, CookieOptions } from '#kit/call.ts'

type CookieHome = Pick<CookieOptions, 'path' | 'readable'>

/** A handler's view of one HTTP call. */
export function callOf(request: FastifyRequest, reply: FastifyReply): Call {
  const isHttps = request.protocol === 'https'
  const nameOf = (name: string, options: CookieHome = {}): string => {
    const canBeHost = isHttps && !options.readable && (options.path ?? '/') === '/'
    return canBeHost ? `__Host-${name}` : name
  }
  return {
    requestId: request.id,
    address: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    host: request.host.toLowerCase(),
    // A plain `sid` set over http or by a sibling domain must not stand in for the `__Host-` one.
    cookie: (name) => request.cookies[isHttps && name !== '_t' ? `__Host-${name}` : name],
    setCookie: (name, value, options = {}) => {
      reply.setCookie(nameOf(name, options), value, {
        path: options.path ?? '/',
        httpOnly: !options.readable,
        sameSite: 'lax',
        secure: isHttps,
        ...(options.maxAgeMs === undefined ? {} : { maxAge: Math.floor(options.maxAgeMs / 1000) }),
      })
    },
    clearCookie: (name, options = {}) => {
      reply.clearCookie(nameOf(name, options), {
        path: options.path ?? '/',
        httpOnly: !options.readable,
        sameSite: 'lax',
        secure: isHttps,
      })
    },
  }
}
