import type { FastifyInstance } from 'fastify'
import { AppError } from '@saddle/contract/errors.ts'
import { logoPath } from '@saddle/contract/organisation/appearance.ts'
import { photoIdSchema, type ShownPhoto } from '@saddle/contract/photos/photo.ts'

const yearSeconds = 31_536_000

/** Serves company logos from this server without a session, because the login page shows them. */
export function registerLogos(http: FastifyInstance, read: (id: string) => Promise<ShownPhoto | null>): void {
  http.get<{ Params: { id: string } }>(`${logoPath}:id`, async ({ params }, reply) => {
    const id = photoIdSchema.safeParse(params.id)
    const logo = id.success ? await read(id.data) : null
    if (logo === null) throw new AppError('not_found')
    // Another picture has another id, so this answer holds for good.
    return await reply
      .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
      .type(`image/${logo.kind}`)
      .send(Buffer.from(logo.base64, 'base64'))
  })
}
