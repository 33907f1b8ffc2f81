import { AppError } from '@saddle/contract/errors.ts'
import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import { photoPurpose } from './keyed.ts'
import { startSweeping, sweepPhotos } from './keep/sweeping.ts'
import { insertPhoto, selectPhotos, setLoose, takeLoose } from './keep/store.ts'
import { pictureOf } from './picture/rules.ts'

export { photosKeyed } from './keyed.ts'

/** Whose photo it is: a photo kept for one purpose is not shown for another. */
export type PhotoPurpose = 'return' | 'complaint' | 'invoice' | 'certificate' | 'task' | 'place' | 'repair' | 'logo'

export type NewPhoto = {
  readonly agentId: number
  readonly areaId: number | null
  readonly purpose: PhotoPurpose
  /** The file; base64 as it travels, or its bytes. */
  readonly file: string | Uint8Array
  /**
   * True: it comes ahead of what it belongs to, which names it by `link` later; nobody having done so, it is gone after
   * a day.
   */
  readonly isLoose?: boolean
}

type Named = { readonly agentId: number; readonly purpose: PhotoPurpose; readonly ids: readonly string[] }

export type Photos = {
  /** Keeps a photo in the caller's transaction and returns its id. Throws photo_too_large and photo_invalid. */
  keep(tx: Tx, photo: NewPhoto): Promise<string>
  /** Says that something shows these loose photos now. Throws photo_missing where one is not there, or taken. */
  link(tx: Tx, photos: Named): Promise<void>
  /** Says that nothing shows these photos any more: they are gone after a day. */
  release(tx: Tx, photos: Named): Promise<void>
  /** The photos of the scope with these ids, in their order; the others are left out. The caller says which may be seen. */
  read(scope: Scope, photos: Pick<Named, 'purpose' | 'ids'>): Promise<ShownPhoto[]>
  /** Removes what has been loose for a day. */
  sweep(): Promise<number>
  /** Does that now and again; returns what ends it. For the worker; safe on several at once. */
  startBackground(): () => Promise<void>
}

/** Photos of every domain: checked, freed of what cameras write into them, sealed. Who may see one, its owner decides. */
export function createPhotos(kit: Pick<Kit, 'db' | 'clock' | 'random' | 'secrets' | 'log'>): Photos {
  const { db, clock, random, secrets } = kit
  return {
    keep: async (tx, { file, isLoose = false, ...photo }) => {
      const { bytes, ...picture } = pictureOf(typeof file === 'string' ? Buffer.from(file, 'base64') : file)
      const id = randomUuid(random)
      const sealed = secrets.encryptBytes({ purpose: photoPurpose, bytes, context: id })
      await insertPhoto(tx, { id, ...photo, ...picture, sealed, isLoose, at: new Date(clock.now()) })
      return id
    },

    link: async (tx, photos) => {
      if ((await takeLoose(tx, photos)) < new Set(photos.ids).size) throw new AppError('photo_missing')
    },

    release: (tx, photos) => setLoose(tx, { ...photos, at: new Date(clock.now()) }),

    read: async (scope, { purpose, ids }) => {
      if (ids.length === 0) return []
      const rows = await db.read(scope, (k) => selectPhotos({ scope, purpose, ids }).compile(k))
      return rows.map(({ id, kind, width, height, sealed, kept_at }) => {
        const bytes = secrets.decryptBytes({ purpose: photoPurpose, sealed, context: id })
        return { id, kind, width, height, keptAt: kept_at.getTime(), base64: bytes.toString('base64') }
      })
    },

    sweep: () => sweepPhotos(kit),
    startBackground: () => startSweeping(kit),
  }
}
