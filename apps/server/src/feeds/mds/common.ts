import { mdsSettledMs } from '@saddle/contract/feeds/mdsRecords.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Geography } from '#geography/public.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { formsOf, selectSetting } from '../publication/store.ts'
import type { MdsReader } from './access.ts'
import type { MdsOwner } from './records.ts'
import { selectBegin, selectPending } from './recordStore.ts'

/** What an answer is about: its status, and the records where it is 200. */
export type MdsAnswer =
  | { readonly status: 200; readonly body: Readonly<Record<string, unknown>> }
  | { readonly status: 202 | 404 }
  | { readonly status: 400; readonly details: readonly string[] }

export interface MdsDeps {
  readonly kit: Pick<Kit, 'db' | 'clock'>
  readonly geography: Pick<Geography, 'inForce'>
  /** Where the platform answers. */
  readonly base: () => string
}

export const badParameter = (name: string): MdsAnswer => ({ status: 400, details: [name] })

export async function ownerOf({ db }: Pick<Kit, 'db'>, reader: MdsReader): Promise<MdsOwner> {
  const { agentId, providerId, scope } = reader
  const [setting] = await db.read(scope, (k) => selectSetting(agentId).compile(k))
  return { agentId, providerId, forms: formsOf(setting?.forms) }
}

/** Whether an hour can be answered: 404 before the company operated and before its end, 202 until its records are complete. */
export async function hourState(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  scope: Scope,
  fromMs: number,
): Promise<200 | 202 | 404> {
  const span = { from: new Date(fromMs), to: new Date(fromMs + hourMs) }
  if (clock.now() < span.to.getTime()) return 404
  const [begin] = await db.read(scope, (k) => selectBegin(scope).compile(k))
  const begunAt = begin?.begun_at ?? null
  if (begunAt === null || begunAt >= span.to) return 404
  if (clock.now() < span.to.getTime() + mdsSettledMs) return 202
  const [pending] = await db.read(scope, (k) => selectPending(scope, span).compile(k))
  return pending?.is_pending === true ? 202 : 200
}
