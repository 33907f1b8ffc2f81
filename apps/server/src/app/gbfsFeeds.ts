import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '@saddle/contract/errors.ts'
import { gbfsManifestPath, gbfsPath, gbfsTtlSeconds } from '@saddle/contract/feeds/gbfs.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { FeedServer, ServedFeed } from '#feeds/public.ts'
import { addressBucket } from '#kit/address.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'

/** Ten areas with all their feeds, thrice a minute. */
const readsPerMinute = 300
const readersRemembered = 20_000

const decompress = promisify(gunzip)

interface Deps {
  readonly http: FastifyInstance
  readonly kit: Kit
  readonly gbfs: FeedServer
}

/** GBFS for everybody, from pages of other origins too: no cookie is read, and nothing depends on who asks. */
export function registerGbfs({ http, kit, gbfs }: Deps): void {
  const readers = createLimiter({
    limit: readsPerMinute,
    windowMs: minuteMs,
    maxKeys: readersRemembered,
    clock: kit.clock,
  })
  const check = ({ ip }: FastifyRequest): void => {
    if (!readers.take(addressBucket(ip)).allowed) throw new AppError('too_many_requests')
  }
  http.get(gbfsManifestPath, async (request, reply) => {
    check(request)
    return send({ request, reply, feed: await gbfs.manifest() })
  })
  http.get<{ Params: { area: string; file: string } }>(`${gbfsPath}/:area/:file`, async (request, reply) => {
    check(request)
    const { area, file } = request.params
    const name = /^([a-z_]{1,40})\.json$/.exec(file)?.[1]
    if (!/^[1-9]\d{0,14}$/.test(area) || name === undefined) throw new AppError('not_found')
    const feed = await gbfs.feed(Number(area), name)
    if (feed === null) throw new AppError('not_found')
    gbfs.count(Number(area), request.headers['user-agent'])
    return send({ request, reply, feed })
  })
}

interface Answer {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly feed: ServedFeed
}

async function send({ request, reply, feed }: Answer): Promise<FastifyReply> {
  // Weak: the same feed is sent compressed and not.
  const tag = `W/"${feed.etag}"`
  reply
    .header('etag', tag)
    .header('cache-control', `public, max-age=${gbfsTtlSeconds / 2}`)
    .header('vary', 'Accept-Encoding')
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
  if (isKnown(request.headers['if-none-match'], feed.etag)) return reply.status(304).send()
  reply.type('application/json; charset=utf-8')
  if (!feed.isCompressed) return reply.send(feed.body)
  if (takesGzip(request.headers['accept-encoding'])) return reply.header('content-encoding', 'gzip').send(feed.body)
  return reply.send(await decompress(feed.body))
}

/** Whether a reader has this feed already, by the tags that it names. */
const isKnown = (given: string | undefined, etag: string): boolean =>
  given !== undefined && given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${etag}"`)

const takesGzip = (given: string | string[] | undefined): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:[,\s]|$))/i.test(String(given ?? ''))
