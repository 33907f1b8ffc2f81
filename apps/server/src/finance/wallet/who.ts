import { AppError } from '@saddle/contract/errors.ts'
import type { AppCall } from '#kit/call.ts'
import { rowOf } from '#kit/db/rows.ts'
import { scopeOfAgent, type Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'

/** What this domain asks about riders; passed in at assembly, because the riding domain depends on this one. */
export type RiderDirectory = {
  idsByPhone(scope: Scope, phone: string): Promise<number[]>
  idsByPhones(scope: Scope, phones: readonly string[]): Promise<(readonly number[])[]>
  ensure(tx: Tx, riders: readonly { agentId: number; phone: string; name: string | null }[]): Promise<number[]>
  maskedPhone(row: { readonly phone_sealed: string; readonly phone_hash: string }): string
}

/** For parts of the platform that never ask. */
export const noRiders: RiderDirectory = {
  idsByPhone: () => Promise.reject(new Error('the finances were given no riders')),
  idsByPhones: () => Promise.reject(new Error('the finances were given no riders')),
  ensure: () => Promise.reject(new Error('the finances were given no riders')),
  maskedPhone: () => {
    throw new Error('the finances were given no riders')
  },
}

interface Deps {
  readonly kit: Pick<Kit, 'db'>
  readonly riders: RiderDirectory
}

export type Who = { readonly riderId: number; readonly agentId: number }

const riderRow = rowOf('rider', 'r', ['agent_id'])

/** The rider, when one of the scope's franchisees knows them. Throws not_found. */
export async function riderInScope({ kit }: Pick<Deps, 'kit'>, scope: Scope, riderId: number): Promise<Who> {
  const query = riderRow.select`from rider r where r.id = ${riderId} and r.agent_id = any (${scope.agentIds}::bigint[])`
  const [row] = await kit.db.read(scope, (k) => query.compile(k))
  if (row === undefined) throw new AppError('not_found')
  return { riderId, agentId: row.agent_id }
}

/** The riders that a filter selects by number, phone or both; undefined when none match. */
export async function ridersOf(
  riders: Pick<RiderDirectory, 'idsByPhone'>,
  scope: Scope,
  { riderId, phone }: { readonly riderId?: number | undefined; readonly phone?: string | undefined },
): Promise<readonly number[] | undefined> {
  const byPhone = phone === undefined ? undefined : await riders.idsByPhone(scope, phone)
  return riderId === undefined ? byPhone : (byPhone ?? [riderId]).filter((id) => id === riderId)
}

type Asked = { readonly phone: string; readonly agentId?: number | undefined }

/**
 * The franchisee that an application acts for. An application with several franchisees must name one, because money in
 * another one's wallet could not pay for the ride. Throws franchisee_missing and not_found.
 */
export function agentOfApp(call: AppCall, asked: number | undefined): number {
  const [only, ...others] = call.app.agentIds
  if (asked === undefined && others.length > 0) throw new AppError('franchisee_missing')
  const agentId = asked ?? only
  if (agentId === undefined || !call.app.agentIds.includes(agentId)) throw new AppError('not_found')
  return agentId
}

/** The rider that an application names; null when the franchisee does not know the rider yet. */
export async function knownRider({ riders }: Pick<Deps, 'riders'>, call: AppCall, asked: Asked): Promise<Who | null> {
  const agentId = agentOfApp(call, asked.agentId)
  const [riderId] = await riders.idsByPhone(scopeOfAgent(agentId), asked.phone)
  return riderId === undefined ? null : { riderId, agentId }
}

/** The rider that an application names; a new rider is registered. */
export async function ensuredRider({ kit, riders }: Deps, call: AppCall, asked: Asked): Promise<Who> {
  const agentId = agentOfApp(call, asked.agentId)
  const [riderId = 0] = await kit.db.system((tx) => riders.ensure(tx, [{ agentId, phone: asked.phone, name: null }]))
  return { riderId, agentId }
}

/** The owner of the money that an audit record is about. */
export function ofRider({ agentId, riderId }: Who) {
  return { agentId, subjectKind: 'rider', subjectId: riderId } as const
}

/** Riders that a list is narrowed to; absent: it is not. */
export type OfRiders = { readonly riderIds: readonly number[] | undefined }
