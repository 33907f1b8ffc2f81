import type { HeldKeys } from '@saddle/client/cipher.ts'
import { signatureCookieLifetimeMs } from '@saddle/contract/constants.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'

interface KeptKeys {
  readonly keys: HeldKeys
  readonly expiresAt: number
}

const databaseName = 'xc__keys'
const storeName = 'keys'

let held: { readonly handle: string; readonly kept: Promise<KeptKeys | null> } | null = null

/**
 * Keeps the keys of a session in this browser: for every tab, over reloads, for two days or as long as
 * is said. They lie in IndexedDB, which
 * no request carries; a cookie would leave with each load of the page. Resolves when they are stored.
 */
export async function keepKeys(
  handle: string,
  keys: SessionKeys,
  lifetimeMs: number = signatureCookieLifetimeMs,
): Promise<void> {
  const expiresAt = Date.now() + lifetimeMs
  // Loaded with the key exchange: the login page needs no ciphers before it is submitted.
  const kept = import('@saddle/client/cipher.ts').then(async ({ handlesOf }): Promise<KeptKeys> => ({
    keys: await handlesOf(keys),
    expiresAt,
  }))
  held = { handle, kept }
  const value = await kept
  await inStore('readwrite', (store) => {
    // One session per browser: the keys of the previous session are useless now.
    store.clear()
    return store.put(value, handle)
  })
}

/** The keys of this session; null when there are none here, or they have expired. */
export async function readKeys(handle: string): Promise<HeldKeys | null> {
  if (held?.handle !== handle) held = { handle, kept: storedKeys(handle) }
  const asked = held
  const kept = await asked.kept.catch(() => null)
  if (kept !== null && kept.expiresAt > Date.now()) return kept.keys
  if (held === asked) held = null
  return null
}

/** Drops the keys that this tab holds in memory, because another tab has logged out or in. */
export function releaseKeys(): void {
  held = null
}

/** Deletes the keys, here and for every other tab. */
export function forgetKeys(): void {
  held = null
  // A storage that cannot be opened holds nothing that could be deleted.
  void inStore('readwrite', (store) => store.clear()).catch(() => null)
}

async function storedKeys(handle: string): Promise<KeptKeys | null> {
  const found: unknown = await inStore('readonly', (store) => store.get(handle))
  return isKept(found) ? found : null
}

function isKept(value: unknown): value is KeptKeys {
  return typeof value === 'object' && value !== null && 'keys' in value && 'expiresAt' in value
}

async function inStore<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
  if (typeof indexedDB === 'undefined') return null
  const database = await open()
  try {
    const transaction = database.transaction(storeName, mode)
    const finished = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the storage gave up')))
    })
    const request = ask(transaction.objectStore(storeName))
    await finished
    return request.result
  } finally {
    database.close()
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the storage could not be opened')))
  })
}
