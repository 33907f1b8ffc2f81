import { everyCall } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { exportList, type exportEndpoints } from '@saddle/contract/exports/jobs.ts'
import { z } from 'zod'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import { checkReach, openQuestion, type ExportDeps, type Files } from './deps.ts'
import { partContext, partPurpose } from '../keyed.ts'
import { companyRows, endOwn, markDownloaded, ownRows, presentExport, selectOwn, selectPart } from './store.ts'

export function createExportHandlers(deps: ExportDeps, files: Files): Handlers<typeof exportEndpoints> {
  const { kit, audit } = deps
  const { db, clock, secrets } = kit
  const listed = (isOwn: boolean) =>
    serveList({ kit, audit }, exportList, {
      name: isOwn ? 'exports' : 'company-exports',
      rows: isOwn ? ownRows : companyRows,
      // A person's own files do not depend on what the header selects.
      scope: ({ grant, scope }) => (isOwn ? grant : scope),
      present: (row, { caller }) => presentExport(row, caller.operatorId),
    })
  const own = ({ caller }: SessionCall, exportId: string) => ({ operatorId: caller.operatorId, exportId })
  const note = (call: SessionCall, exportId: string) => ({
    agentId: call.caller.agentId,
    subjectKind: 'export',
    subjectId: exportId,
  })
  const find = async (call: SessionCall, exportId: string) => {
    const [job] = await db.read(call.grant, (k) => selectOwn(own(call, exportId)).compile(k))
    if (job === undefined) throw new AppError('not_found')
    return job
  }
  const end = async (
    call: SessionCall,
    exportId: string,
    how: Pick<Parameters<typeof endOwn>[1], 'from' | 'to'> & { readonly action: string },
  ) => {
    await find(call, exportId)
    const at = new Date(clock.now())
    await db.withScope(call.grant, async (tx) => {
      if (!(await endOwn(tx, { ...own(call, exportId), ...how, at }))) throw new AppError('conflict')
      await audit.act(tx, call, { ...note(call, exportId), action: how.action })
    })
    return { suc: true as const, data: {} }
  }
  /** A download is noted once, whichever of its parts comes first. */
  const noteDownload = async (call: SessionCall, { exportId, part }: { exportId: string; part: number }) => {
    const { agentId, operatorId } = call.caller
    const company = { agentIds: [agentId], areaIds: [], operatorId }
    const at = new Date(clock.now())
    await db.withScope(company, async (tx) => {
      if (!(await markDownloaded(tx, { ...own(call, exportId), part, at }))) return
      await audit.act(tx, call, { ...note(call, exportId), action: 'export.download' })
    })
  }

  return {
    listOwnExports: listed(true).page,
    listCompanyExports: listed(false).page,

    readExportPart: async ({ exportId, part }, call) => {
      const job = await find(call, exportId)
      if (job.state !== 'done' || part >= job.parts) throw new AppError('export_gone')
      const file = files.get(job.call)
      const endpoint = Object.entries(everyCall).find(([name]) => name === job.call)?.[1]
      if (file === undefined || endpoint === undefined) throw new AppError('export_gone')
      const scope = { agentIds: job.agent_ids, areaIds: job.area_ids, operatorId: job.operator_id }
      checkReach(endpoint, scope, call)
      const question = z.parse(endpoint.input, openQuestion(secrets, job)) as object
      await file.source.check(question, { ...call, scope })
      const [found] = await db.read(call.grant, (k) => selectPart({ exportId, part }).compile(k))
      if (found === undefined) throw new AppError('export_gone')
      await noteDownload(call, { exportId, part })
      const bytes = secrets.decryptBytes({
        purpose: partPurpose,
        sealed: found.sealed,
        context: partContext(exportId, part),
      })
      return { suc: true, data: { fileName: job.file_name, parts: job.parts, base64: bytes.toString('base64') } }
    },

    cancelExport: ({ exportId }, call) =>
      end(call, exportId, { from: ['queued', 'running'], to: 'cancelled', action: 'export.cancel' }),
    removeExport: ({ exportId }, call) =>
      end(call, exportId, { from: ['done'], to: 'expired', action: 'export.remove' }),
  }
}
