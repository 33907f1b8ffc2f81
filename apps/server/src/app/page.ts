import { readFileSync, statSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fastifyStatic from '@fastify/static'
import type { ClientConfig } from '@saddle/contract/clientConfig.ts'
import { contentPolicy, workerPolicy } from './headers.ts'
import { isSecureTransport } from './transport.ts'

const consolePath = '/console/'
const yearSeconds = 31_536_000
/** As the build wrote it, or compressed. */
const serviceWorker = /\/sw\.js(\.br|\.gz)?$/

export interface PageOptions {
  /** Folder of the built console: `index.html` with placeholders, `assets/`. */
  readonly consoleDir: string
  /** Folder of the offline tiles, or null. */
  readonly tilesDir: string | null
  /** Addresses other than this one that the console may call. */
  readonly otherHosts: readonly string[]
  /** Addresses other than this one that the console may load a script from. */
  readonly scriptHosts: readonly string[]
  /** The page's configuration, built for each request. */
  readonly clientConfig: (request: { readonly insecureTransport: boolean }) => ClientConfig
}

/** Serves the console, its assets and the offline tiles; `/` leads to the console. */
export async function registerPages(http: FastifyInstance, options: PageOptions): Promise<void> {
  const template = templateReader(join(options.consoleDir, 'index.html'))
  http.get('/', (_request, reply) => reply.redirect(consolePath, 302))
  http.get('/console', (_request, reply) => reply.redirect(consolePath, 302))
  http.get('/favicon.ico', (_request, reply) => reply.redirect('/favicon.svg', 302))
  http.get(consolePath, (request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const config = options.clientConfig({ insecureTransport: !isSecureTransport(request) })
    const html = template()
      .replaceAll('__NONCE__', nonce)
      .replace('__CONFIG__', () => scriptSafeJson(config))
    return reply
      .header(
        'content-security-policy',
        contentPolicy({ nonce, otherHosts: options.otherHosts, scriptHosts: options.scriptHosts }),
      )
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html)
  })
  await http.register(fastifyStatic, {
    root: options.consoleDir,
    // Assets have a hash in their name; other build files (logo, manifest) must be revalidated.
    wildcard: true,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const isHashed = path.includes('/assets/')
      response.header('cache-control', isHashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
      if (isHashed || serviceWorker.test(path)) response.header('content-security-policy', workerPolicy(options))
    },
    allowedPath: (path) => !path.endsWith('.html') && !path.startsWith('/.'),
  })
  if (options.tilesDir !== null) await registerTiles(http, options.tilesDir)
}

/** The page as last built: a build that replaces the assets of a running server must not leave it with the old page. */
function templateReader(file: string): () => string {
  let readAtMs = -1
  let text = ''
  return () => {
    const { mtimeMs } = statSync(file)
    if (mtimeMs !== readAtMs) {
      text = readFileSync(file, 'utf8')
      readAtMs = mtimeMs
    }
    return text
  }
}

async function registerTiles(http: FastifyInstance, tilesDir: string): Promise<void> {
  await http.register(fastifyStatic, {
    root: tilesDir,
    prefix: '/tiles/',
    decorateReply: false,
    index: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      response.header('cache-control', 'no-cache')
      if (path.endsWith('.pbf')) response.header('content-type', 'application/x-protobuf')
    },
  })
}

/** JSON that cannot end the script element it stands in. */
function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
