import {
  certificateFields,
  certificateList,
  certificateMaxMs,
  type certificateEndpoints,
} from '@saddle/contract/rider/certificates.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { each } from '#kit/each.ts'
import type { Tx } from '#kit/db/pool.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { RiderParts } from '../parts/parts.ts'
import {
  certificateOf,
  certificateRows,
  decideCertificate,
  lockCertificate,
  selectCertificate,
  type CertificateRow,
} from './store.ts'

/** Students and professions: a person looks at what riders send in. */
export function createCertificateHandlers(parts: RiderParts): Handlers<typeof certificateEndpoints> {
  const { kit, photos, riders } = parts
  const list = serveList(parts, certificateList, {
    name: 'certificates',
    prepare: async (filter, { scope }) => ({ riderIds: await riders.idsOf(scope, filter) }),
    rows: certificateRows,
    present: (row) => ({
      ...certificateOf(row),
      company: row.company,
      phone: riders.maskedPhone(row),
      name: riders.maskedName(row),
      certified: row.cert_hash !== null,
    }),
    file: { action: 'certificate.export', fields: certificateFields },
  })
  return {
    listCertificates: list.page,
    exportCertificates: list.file,

    decideCertificates: async ({ ids, ...decision }, call) => {
      const { done, refused } = await each(ids, (id) => decideOne(parts, call, { id, ...decision }))
      return { suc: true, data: { decided: done, refused } }
    },

    reopenCertificates: async ({ ids }, call) => {
      const { done, refused } = await each(ids, (id) => reopenOne(parts, call, id))
      return { suc: true, data: { decided: done, refused } }
    },

    certificatePhotos: async ({ id }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectCertificate({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: { list: await photos.read(scope, { purpose: 'certificate', ids: row.photo_ids }) } }
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

async function reopenOne(parts: RiderParts, call: SessionCall, id: number): Promise<void> {
  await parts.kit.db.withScope(call.scope, async (tx) => {
    const row = await lockCertificate(tx, { id, scope: call.scope })
    if (row === undefined) throw new AppError('not_found')
    if (row.state !== 'approved' && row.state !== 'refused') throw new AppError('request_decided')
    await decideCertificate(tx, row, null)
    await note(parts, tx, call, { row, action: 'certificate.reopen', before: { state: row.state }, after: null })
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
  await audit.act(tx, call, {
    agentId: row.agent_id,
    action,
    subjectKind: 'rider',
    subjectId: row.rider_id,
    before,
    after: after === null ? { id: row.id, kind: row.kind } : { id: row.id, kind: row.kind, ...after },
  })
}
