import { sql } from 'kysely'
import { ringSchema } from '@saddle/contract/geography/fences.ts'
import type { Geography } from '#geography/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Zones } from './judge.ts'

export type Zone = { readonly agentId: number; readonly areaId: number }

/** The fences and the outline by which a return into an area was judged at a moment. */
export async function zonesOf(
  parts: { readonly kit: Pick<Kit, 'db'>; readonly geography: Pick<Geography, 'inForce'> },
  { agentId, areaId, at }: Zone & { readonly at: number },
): Promise<Zones> {
  const { kit, geography } = parts
  const scope = { agentIds: [agentId], areaIds: [areaId], operatorId: null }
  const query = sql<{ ring: unknown }>`select ring from service_area where id = ${areaId}`
  const [fences, areas] = await Promise.all([
    geography.inForce(scope, { areaId, at }),
    kit.db.read(scope, (k) => query.compile(k)),
  ])
  const boundary = fences.find(({ kind }) => kind === 'service_area')?.ring
  return {
    parking: fences.filter(({ kind }) => kind === 'parking'),
    noStop: fences.filter(({ kind }) => kind === 'no_stop'),
    ring: boundary ?? ringSchema.parse(areas[0]?.ring),
  }
}
