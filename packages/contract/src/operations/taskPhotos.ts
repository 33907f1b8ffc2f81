import { z } from 'zod'

/** Photos that one task may have as proof. */
export const taskPhotosMax = 3
/** A small JPEG, PNG or WebP, as base64. */
const photoBase64Max = 560_000

export const photosSchema = z.array(z.base64().min(1).max(photoBase64Max)).max(taskPhotosMax)
