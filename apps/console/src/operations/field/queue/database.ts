import type { NewStep, Step } from './rules.ts'

/** Where steps and the last answers lie. Steps outlive the session, the tab and the machine's restart. */
export interface FieldStore {
  add(step: NewStep): Promise<Step>
  /** Of one person, the oldest first. */
  steps(owner: string): Promise<Step[]>
  change(step: Step): Promise<void>
  remove(id: number): Promise<void>
  /** Stores the latest answer of a repeated query, replacing the previous one. */
  keep(name: string, kept: Kept): Promise<void>
  kept(name: string): Promise<Kept | null>
}

export interface Kept {
  readonly at: number
  readonly value: unknown
}

const name = 'saddle-field'
const version = 1

/** IndexedDB: `localStorage` is too small for photos, and another tab may write at the same time. */
export function openFieldStore(): FieldStore {
  let opened: Promise<IDBDatabase> | null = null
  const database = (): Promise<IDBDatabase> => {
    opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
  const inStore = async <T>(
    store: 'steps' | 'tasks',
    mode: IDBTransactionMode,
    ask: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> => {
    const transaction = (await database()).transaction(store, mode, { durability: 'strict' })
    const finished = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the storage gave up')))
    })
    const request = ask(transaction.objectStore(store))
    // On the disk, not only accepted: the tab may be gone a moment later.
    await finished
    return request.result
  }
  return {
    add: async (step) => {
      const whole = { ...step, state: 'waiting' as const, attempts: 0, refusal: null }
      const id = await inStore('steps', 'readwrite', (store) => store.add(whole))
      return { ...whole, id: Number(id) }
    },
    steps: async (owner) => {
      const found = await inStore<unknown[]>('steps', 'readonly', (store) => store.index('owner').getAll(owner))
      return found as Step[]
    },
    change: async (step) => {
      await inStore('steps', 'readwrite', (store) => store.put(step))
    },
    remove: async (id) => {
      await inStore('steps', 'readwrite', (store) => store.delete(id))
    },
    keep: async (name, kept) => {
      await inStore('tasks', 'readwrite', (store) => store.put(kept, name))
    },
    kept: async (name) => {
      const found = await inStore<unknown>('tasks', 'readonly', (store) => store.get(name))
      return found === undefined ? null : (found as Kept)
    },
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version)
    request.addEventListener('upgradeneeded', () => {
      const steps = request.result.createObjectStore('steps', { keyPath: 'id', autoIncrement: true })
      steps.createIndex('owner', 'owner')
      request.result.createObjectStore('tasks')
    })
    request.addEventListener('success', () => {
      // A newer page in another tab must not wait for this one.
      request.result.addEventListener('versionchange', () => request.result.close())
      resolve(request.result)
    })
    request.addEventListener('error', () => reject(request.error ?? new Error('the storage could not be opened')))
  })
}
