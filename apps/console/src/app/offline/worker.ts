/**
 * The service worker: it caches the page and its assets for offline use. It stores no user data and sends
 * nothing by itself. Built as one file of its own, with the two constants below filled in (vite.config.ts).
 */
import { outdatedCaches, pagePath, shellCacheOf, tilesCache, treatmentOf } from './rules.ts'

declare const __BUILD__: string
declare const __SHELL__: readonly string[]

interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface AskEvent extends LifeEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

/** TypeScript knows the worker's own globals only in place of the page's, which this folder is checked with. */
const worker = globalThis as unknown as {
  addEventListener(name: 'install' | 'activate', listener: (event: LifeEvent) => void): void
  addEventListener(name: 'fetch', listener: (event: AskEvent) => void): void
  readonly clients: { claim(): Promise<void> }
  readonly location: Location
}

/** Network timeout, after which the cached page is used. */
const pageWaitMs = 4_000
const tilesMax = 600
const shelf = shellCacheOf(__BUILD__)

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(shelf).then((cache) => cache.addAll([pagePath, ...__SHELL__])))
})

// Old caches are removed when no page uses them: a worker is activated only then.
worker.addEventListener('activate', (event) => {
  const tidy = async (): Promise<void> => {
    const names = await caches.keys()
    await Promise.all(outdatedCaches(names, __BUILD__).map((name) => caches.delete(name)))
    await worker.clients.claim()
  }
  event.waitUntil(tidy())
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { method, mode, url } = request
  const treatment = treatmentOf({ method, mode, url, origin: worker.location.origin })
  if (treatment === 'page') event.respondWith(answerPage(event))
  if (treatment === 'asset') event.respondWith(answerAsset(request))
  if (treatment === 'tile') event.respondWith(answerTile(event))
})

async function answerPage(event: AskEvent): Promise<Response> {
  const fresh = fetch(event.request).then(async (answer) => {
    if (answer.ok && !answer.redirected) await (await caches.open(shelf)).put(pagePath, answer.clone())
    return answer
  })
  event.waitUntil(fresh.catch(() => null))
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), pageWaitMs))
  const first = await Promise.race([fresh.catch(() => null), late])
  if (first !== null) return first
  return (await caches.match(pagePath)) ?? fresh
}

async function answerAsset(request: Request): Promise<Response> {
  const kept = await caches.match(request)
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.ok) await (await caches.open(shelf)).put(request, answer.clone())
  return answer
}

async function answerTile(event: AskEvent): Promise<Response> {
  const cache = await caches.open(tilesCache)
  const kept = await cache.match(event.request)
  const fresh = fetch(event.request).then(async (answer) => {
    if (answer.ok) {
      await cache.put(event.request, answer.clone())
      const keys = await cache.keys()
      if (keys.length > tilesMax)
        await Promise.all(keys.slice(0, keys.length - tilesMax).map((key) => cache.delete(key)))
    }
    return answer
  })
  if (kept === undefined) return fresh
  event.waitUntil(fresh.catch(() => null))
  return kept
}
