import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'

/** A photo that differs from others by its number. */
export const photo = (id: number): ShownPhoto => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  kind: 'png',
  width: 24,
  height: 16,
  keptAt: id,
  base64: `AAA${id}`,
})
