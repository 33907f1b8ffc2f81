import type { FastifyInstance } from 'fastify'
import { AppError } from '@saddle/contract/errors.ts'
import { artefactPath, type Production } from '#production/public.ts'

/** Bytes of one answer; a device asks for the next ones. */
const rangeMax = 65_536

/**
 * Where devices fetch firmware and voice packs by ranges. The address itself is the permission: it is signed, names one upgrade
 * and ends soon.
 */
export function registerArtefacts(http: FastifyInstance, { files }: Pick<Production, 'files'>): void {
  http.get<{ Params: { token: string } }>(`${artefactPath}/:token`, async (request, reply) => {
    const range = /^bytes=(\d{1,9})-(\d{1,9})?$/.exec(request.headers.range ?? 'bytes=0-')
    const from = Number(range?.[1] ?? 0)
    const to = range?.[2] === undefined ? from + rangeMax - 1 : Math.min(Number(range[2]), from + rangeMax - 1)
    if (range === null || to < from) return reply.status(416).send()
    const part = await files.read(request.params.token, { from, to })
    if (part === null) throw new AppError('not_found')
    const { bytes, size } = part
    if (bytes.length === 0) return reply.status(416).header('content-range', `bytes */${size}`).send()
    return reply
      .status(206)
      .header('cache-control', 'no-store')
      .header('accept-ranges', 'bytes')
      .header('content-range', `bytes ${from}-${from + bytes.length - 1}/${size}`)
      .header('content-disposition', 'attachment')
      .type('application/octet-stream')
      .send(bytes)
  })
}
