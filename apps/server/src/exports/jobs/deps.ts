import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Audit } from '#audit/public.ts'
import type { Caller } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import type { ListFile } from '#kit/list/listFile.ts'
import { questionPurpose } from '../keyed.ts'

export interface ExportDeps {
  readonly kit: Kit
  readonly audit: Audit
  /** What an operator may do and see now; null when they may not log in. */
  readonly accessOf: (operatorId: number) => Promise<Access | null>
}

export interface Access {
  readonly caller: Caller
  readonly grant: Scope
}

/** Files of lists by the names of their calls. */
export type Files = ReadonlyMap<string, ListFile<object>>

/** Throws where somebody may no longer make the call, or no longer sees all of a scope. */
export function checkReach(endpoint: Endpoint, scope: Scope, { caller, grant }: Access): void {
  const { permission } = endpoint
  if (Array.isArray(permission) && !permission.some((code: string) => caller.permissions.has(code))) {
    throw new AppError('forbidden')
  }
  const [agents, areas] = [new Set(grant.agentIds), new Set(grant.areaIds)]
  if (!scope.agentIds.every((id) => agents.has(id)) || !scope.areaIds.every((id) => areas.has(id))) {
    throw new AppError('foreign_scope')
  }
}

interface Sealed {
  readonly export_id: string
  readonly question_sealed: Buffer | null
}

export function sealQuestion(secrets: Kit['secrets'], exportId: string, question: unknown): Buffer {
  const bytes = Buffer.from(JSON.stringify(question))
  return secrets.encryptBytes({ purpose: questionPurpose, bytes, context: exportId })
}

export function openQuestion(
  secrets: Kit['secrets'],
  { export_id: context, question_sealed: sealed }: Sealed,
): unknown {
  if (sealed === null) throw new AppError('export_gone')
  return JSON.parse(secrets.decryptBytes({ purpose: questionPurpose, sealed, context }).toString())
}
