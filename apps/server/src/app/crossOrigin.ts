import type { FastifyInstance } from 'fastify'

/** What the console sends besides what every page may send. */
const allowedHeaders = ['authorization', 'content-type', 'idempotency-key', 'phone', 'agentid', 'traceid', 'x-api-key']
const allowedMethods = ['GET', 'POST', 'PUT', 'DELETE']
/** For so long a browser does not ask again whether it may call. */
const preflightSeconds = 600

/**
 * Lets a console that was served from one of these origins call this server, with its cookies. A page of any other origin
 * gets no word about it, and its browser keeps the answers from it.
 */
export function allowConsoles(http: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) {
      done()
      return
    }
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'traceid, retry-after',
    })
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (!isPreflight) {
      done()
      return
    }
    reply
      .headers({
        'access-control-allow-methods': allowedMethods.join(', '),
        'access-control-allow-headers': allowedHeaders.join(', '),
        'access-control-max-age': String(preflightSeconds),
      })
      .code(204)
      .send()
  })
}
