import {
  certificateKindLabels,
  certificateList,
  certificateMaxMs,
  certificateStateLabels,
  type ListedCertificate,
  type certificateEndpoints,
  type CertificateFilter,
} from '@saddle/contract/rider/certificates.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import type { Direction } from '@saddle/contract/list.ts'
import type { CsvColumns } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime } from '#kit/csv.ts'
import type { Tx } from '#kit/db/pool.ts'
import { readPage, readPart, timedReading } from '../parts/listing.ts'
import type { RiderParts } from '../parts/parts.ts'
import {
  countCertificates,
  decideCertificate,
  lockCertificate,
  certificateOf,
  selectCertificate,
  selectCertificates,
  type ListedCertificateRow,
  type CertificateRow,
} from './store.ts'

/** Students and professions: what riders show as certificate is looked at by a person. */
export function createCertificateHandlers(parts: RiderParts): Handlers<typeof certificateEndpoints> {
  const { kit, photos, riders } = parts
  const present = (row: ListedCertificateRow): ListedCertificate => ({
    ...certificateOf(row),
    company: row.company,
    phone: riders.maskedPhone(row),
    name: riders.maskedName(row),
    certified: row.cert_hash !== null,
  })
  const readingOf = (call: SessionCall, asked: { filter: CertificateFilter; direction?: Direction | undefined }) =>
    timedReading(parts, call, {
      filter: asked.filter,
      direction: asked.direction ?? certificateList.sorts.submitted,
      select: selectCertificates,
      count: countCertificates,
      at: (row) => row.submitted_at,
    })
  return {
    listCertificates: async ({ cursor, pageSize, ...asked }, call) => {
      const page = await readPage(await readingOf(call, asked), { cursor, pageSize })
      return { suc: true, data: { ...page, list: page.list.map(present) } }
    },

    decideCertificates: async ({ ids, ...decision }, call) => {
      const decided: number[] = []
      const refused: { id: number; promot: string }[] = []
      for (const id of new Set(ids)) {
        try {
          await decideOne(parts, call, { id, ...decision })
          decided.push(id)
        } catch (error) {
          // Of one the refusal is the answer.
          if (!(error instanceof AppError) || ids.length === 1) throw error
          refused.push({ id, promot: error.message })
        }
      }
      return { suc: true, data: { decided, refused } }
    },

    reopenCertificate: async ({ id }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const row = await lockCertificate(tx, { id, scope: call.scope })
        if (row === undefined) throw new AppError('not_found')
        if (row.state !== 'approved' && row.state !== 'refused') throw new AppError('request_decided')
        await decideCertificate(tx, row, null)
        await note(parts, tx, call, { row, action: 'certificate.reopen', before: { state: row.state }, after: null })
        const open = await lockCertificate(tx, { id, scope: call.scope })
        if (open === undefined) throw new AppError('not_found')
        return { suc: true, data: certificateOf(open) }
      }),

    certificatePhotos: async ({ id }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectCertificate({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: { list: await photos.read(scope, { purpose: 'certificate', ids: row.photo_ids }) } }
    },

    exportCertificates: async ({ cursor, exportId, ...asked }, call) => {
      const file = {
        name: 'certificates',
        action: 'certificate.export',
        filter: asked.filter,
        present,
        columns,
      } as const
      const data = await readPart(parts, call, { ...file, reading: await readingOf(call, asked), cursor, exportId })
      return { suc: true, data }
    },
  }
}

type Decision = Omit<InputOf<typeof certificateEndpoints.decideCertificates>, 'ids'> & { readonly id: number }

async function decideOne(parts: RiderParts, call: SessionCall, asked: Decision): Promise<void> {
  const { kit } = parts
  const { scope, caller } = call
  const { id, decision, reason } = asked
  const nowMs = kit.clock.now()
  const expiresAt = decision === 'approved' ? (asked.expiresAt ?? null) : null
  if (expiresAt !== null && (expiresAt <= nowMs || expiresAt > nowMs + certificateMaxMs)) {
    throw new AppError('bad_request', { values: { detail: '有效期须在今后五年之内' } })
  }
  await kit.db.withScope(scope, async (tx) => {
    const row = await lockCertificate(tx, { id, scope })
    if (row === undefined) throw new AppError('not_found')
    if (row.state !== 'waiting') throw new AppError('request_decided')
    await decideCertificate(tx, row, {
      state: decision,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
      reason,
      at: new Date(nowMs),
      operatorId: caller.operatorId,
      operatorName: caller.name,
    })
    const action = decision === 'approved' ? 'certificate.approved' : 'certificate.refused'
    await note(parts, tx, call, { row, action, before: null, after: { reason, expiresAt } })
  })
}

async function note(
  { audit }: RiderParts,
  tx: Tx,
  call: SessionCall,
  line: {
    readonly row: CertificateRow
    readonly action: string
    readonly before: Readonly<Record<string, unknown>> | null
    readonly after: Readonly<Record<string, unknown>> | null
  },
): Promise<void> {
  const { row, action, before, after } = line
  await audit.write(tx, {
    agentId: row.agent_id,
    operatorId: call.caller.operatorId,
    action,
    subjectKind: 'rider',
    subjectId: row.rider_id,
    before,
    after: after === null ? { id: row.id, kind: row.kind } : { id: row.id, kind: row.kind, ...after },
    address: call.address,
    requestId: call.requestId,
  })
}

const columns: CsvColumns<ListedCertificate> = [
  ['用户编号', (row) => row.riderId],
  ['手机号', (row) => row.phone],
  ['姓名', (row) => row.name],
  ['加盟商', (row) => row.company],
  ['认证类型', (row) => certificateKindLabels[row.kind]],
  ['学校或单位', (row) => row.organisation],
  ['提交时间', (row) => businessTime(row.submittedAt)],
  ['状态', (row) => certificateStateLabels[row.state]],
  ['有效期至', (row) => businessTime(row.expiresAt)],
  ['原因', (row) => row.reason],
  ['审核人', (row) => row.decidedBy],
  ['审核时间', (row) => businessTime(row.decidedAt)],
]
