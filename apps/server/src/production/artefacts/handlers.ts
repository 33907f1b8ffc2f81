import { createHash } from 'node:crypto'
import { AppError } from '@saddle/contract/errors.ts'
import {
  artefactBytesMax,
  artefactFields,
  artefactList,
  type ArtefactFormat,
  type ArtefactUpload,
  type artefactEndpoints,
} from '@saddle/contract/production/artefacts.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { ProductionDeps } from '../deps.ts'
import { formatOf, isImageOf } from './rules.ts'
import { artefactRows, findArtefact, presentArtefact, selectContent } from './store.ts'

/** Firmware and voice packs: what may be sent to devices at all. */
export function createArtefactHandlers(deps: ProductionDeps): Handlers<typeof artefactEndpoints> {
  const { kit, audit } = deps
  const artefacts = serveList(deps, artefactList, {
    name: 'artefacts',
    rows: artefactRows,
    present: presentArtefact,
    file: { action: 'artefact.export', fields: artefactFields },
  })
  return {
    listArtefacts: artefacts.page,
    exportArtefacts: artefacts.file,

    uploadArtefact: async (input, call) => {
      if (!call.scope.agentIds.includes(input.agentId)) throw new AppError('foreign_scope')
      const checked = checkArtefact(deps, input)
      return { suc: true, data: { id: await keep(deps, call, checked) } }
    },

    switchArtefact: async ({ id, state }, call) => {
      await kit.db.withScope(call.scope, async (tx) => {
        const row = await findArtefact(tx, { id, scope: call.scope })
        if (row === undefined) throw new AppError('not_found')
        if (row.state === state) return
        await tx.updateTable('device_artefact').set({ state }).where('id', '=', id).execute()
        await audit.act(tx, call, {
          agentId: row.agent_id,
          action: state === 'on' ? 'artefact.on' : 'artefact.off',
          subjectKind: 'artefact',
          subjectId: id,
        })
      })
      return { suc: true, data: { id, state } }
    },

    listenToVoice: async ({ id }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectContent(id, scope).compile(k))
      if (row?.kind !== 'voice') throw new AppError('not_found')
      return { suc: true, data: { format: row.format, base64: row.content.toString('base64') } }
    },
  }
}

export type CheckedArtefact = Omit<ArtefactUpload, 'base64' | 'signature'> & {
  readonly content: Buffer
  readonly signature: Buffer
  readonly format: ArtefactFormat
  readonly signer: string
}

/** Throws where the file is too large, of no known format, not what was typed beside it, or not signed by a known key. */
export function checkArtefact({ signers }: Pick<ProductionDeps, 'signers'>, given: ArtefactUpload): CheckedArtefact {
  const { base64, signature: signed, ...rest } = given
  const content = Buffer.from(base64, 'base64')
  const signature = Buffer.from(signed, 'base64')
  if (content.length === 0 || content.length > artefactBytesMax[given.kind]) {
    throw new AppError('artefact_too_large', { values: { kib: artefactBytesMax[given.kind] / 1024 } })
  }
  const format = formatOf(content)
  if (format === null || (format === 'sdfw') !== (given.kind === 'firmware')) throw new AppError('artefact_format')
  if (format === 'sdfw' && !isImageOf(content, given)) throw new AppError('artefact_header')
  const signer = signers.signerOf(content, signature)
  if (signer === null) throw new AppError('artefact_unsigned')
  return { ...rest, content, signature, format, signer }
}

/** Stores an artefact and its bytes. Throws name_taken. */
export async function insertArtefact(
  tx: Tx,
  { content, ...artefact }: CheckedArtefact,
  by: { readonly at: Date; readonly name: string },
): Promise<number> {
  const { agentId, note, ...named } = artefact
  const { id } = await tx
    .insertInto('device_artefact')
    .values({
      ...named,
      note,
      agent_id: agentId,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      created_at: by.at,
      created_by: by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('device_artefact_content').values({ artefact_id: id, agent_id: agentId, content }).execute()
  return id
}

async function keep({ kit, audit }: ProductionDeps, call: SessionCall, artefact: CheckedArtefact): Promise<number> {
  const { agentId, kind, name, version, protocol, signer } = artefact
  try {
    return await kit.db.withScope(call.scope, async (tx) => {
      const id = await insertArtefact(tx, artefact, { at: new Date(kit.clock.now()), name: call.caller.name })
      await audit.act(tx, call, {
        agentId,
        action: 'artefact.upload',
        subjectKind: 'artefact',
        subjectId: id,
        after: { kind, name, version, protocol, signer },
      })
      return id
    })
  } catch (error) {
    if (isTaken(error)) throw new AppError('name_taken', { cause: error })
    throw error
  }
}
