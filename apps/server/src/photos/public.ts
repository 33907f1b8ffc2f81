import { AppError } from '@saddle/contract/errors.ts'
import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import { photoPurpose } from './keyed.ts'
import { startSweeping, sweepPhotos } from './storage/cleanup.ts'
import { insertPhoto, selectPhotos, detachPhotos, attachPhotos, sharePhotos } from './storage/store.ts'
import { pictureOf } from './codec/rules.ts'

export { photosKeyed } from './keyed.ts'

/** What a photo is for: a photo of one purpose is not shown for another. */
export type PhotoPurpose =
  | 'return'
  | 'ticket'
  | 'invoice'
  | 'certificate'
  | 'task'
  | 'place'
  | 'repair'
  | 'logo'
  | 'help'
  | 'placement'
  /** Evidence of an objection to a bill. */
  | 'objection'
  | 'bank_paper'
  | 'feedback'

export type NewPhoto = {
  readonly agentId: number
  readonly areaId: number | null
  readonly purpose: PhotoPurpose
  /** The file, as base64 or bytes. */
  readonly file: string | Uint8Array
  /**
   * True: the photo is uploaded before the row it belongs to, which attaches it later with `link`; otherwise it is removed
   * after a day.
   */
  readonly isUnattached?: boolean
}

type Named = { readonly agentId: number; readonly purpose: PhotoPurpose; readonly ids: readonly string[] }

export type Photos = {
  /** Stores a photo in the caller's transaction and returns its id. Throws photo_too_large and photo_invalid. */
  keep(tx: Tx, photo: NewPhoto): Promise<string>
  /** Attaches unattached photos. Throws photo_missing when one does not exist or is already attached. */
  link(tx: Tx, photos: Named): Promise<void>
  /**
   * Attaches photos that several rows may show: one that is attached already stays so. Throws photo_missing where one
   * does not exist. They are never released.
   */
  share(tx: Tx, photos: Named): Promise<void>
  /** Width and height of a file. Throws photo_too_large and photo_invalid. */
  sizeOf(file: string): { readonly width: number; readonly height: number }
  /** Detaches photos; they are removed after a day. */
  release(tx: Tx, photos: Named): Promise<void>
  /** The photos within the scope with these ids, in their order; others are omitted. The caller decides who may see them. */
  read(scope: Scope, photos: Pick<Named, 'purpose' | 'ids'>): Promise<ShownPhoto[]>
  /** Removes photos unattached for a day. */
  sweep(): Promise<number>
  /** Runs `sweep` periodically; returns a function that stops it. For workers; safe to run on several. */
  startBackground(): () => Promise<void>
}

/** Photos of every domain: checked, stripped of metadata, sealed. The owning domain decides who may see one. */
export function createPhotos(kit: Pick<Kit, 'db' | 'clock' | 'random' | 'secrets' | 'log'>): Photos {
  const { db, clock, random, secrets } = kit
  return {
    keep: async (tx, { file, isUnattached = false, ...photo }) => {
      const { bytes, ...picture } = pictureOf(typeof file === 'string' ? Buffer.from(file, 'base64') : file)
      const id = randomUuid(random)
      const sealed = secrets.encryptBytes({ purpose: photoPurpose, bytes, context: id })
      await insertPhoto(tx, { id, ...photo, ...picture, sealed, isUnattached, at: new Date(clock.now()) })
      return id
    },

    link: async (tx, photos) => {
      if ((await attachPhotos(tx, photos)) < new Set(photos.ids).size) throw new AppError('photo_missing')
    },

    share: async (tx, photos) => {
      if (photos.ids.length > 0 && (await sharePhotos(tx, photos)) < new Set(photos.ids).size) {
        throw new AppError('photo_missing')
      }
    },

    sizeOf: (file) => {
      const { width, height } = pictureOf(Buffer.from(file, 'base64'))
      return { width, height }
    },

    release: (tx, photos) => detachPhotos(tx, { ...photos, at: new Date(clock.now()) }),

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
