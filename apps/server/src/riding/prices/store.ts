import { sql } from 'kysely'
import { priceRulesSchema } from '@saddle/contract/riding/price.ts'
import type { PriceVersion } from '@saddle/contract/riding/prices.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'

const versionRow = rowsOf(
  rowOf('price_version', 'p', [
    'id',
    'agent_id',
    'area_id',
    'name',
    'rules',
    'valid_from',
    'author_name',
    'created_at',
  ]),
  rowOf('service_area', 'service_area', ['name as area_name']),
)
export type VersionRow = RowOf<typeof versionRow>

const listedVersionRow = rowsOf(versionRow, rowOf('price_withdrawal', 'w', ['withdrawn_at', 'withdrawn_by']).optional())

/** A version that was taken back before it began counts nowhere. */
const stands = sql`not exists (select from price_withdrawal w where w.version_id = p.id)`

const versionsMax = 500

export function versionOf(row: VersionRow): PriceVersion {
  return { ...versionRow.present(row), rules: priceRulesSchema.parse(row.rules) }
}

/** What is in force in each area of the scope at a moment. */
export function selectInForce({ scope, at }: { scope: Scope; at: Date }) {
  return versionRow.select`
    from service_area
    cross join lateral (
      select * from price_version p where p.area_id = service_area.id and p.valid_from <= ${at} and ${stands}
      order by p.valid_from desc, p.id desc limit 1
    ) p
    where ${tenantFilter('service_area', scope)} order by service_area.id`
}

/** The change that comes next in each area of the scope. */
export function selectNext({ scope, at }: { scope: Scope; at: Date }) {
  return versionRow.select`
    from service_area
    cross join lateral (
      select * from price_version p where p.area_id = service_area.id and p.valid_from > ${at} and ${stands}
      order by p.valid_from, p.id desc limit 1
    ) p
    where ${tenantFilter('service_area', scope)} order by service_area.id`
}

const serviceAreaRow = rowOf('service_area', 'service_area', ['id as areaId', 'name as areaName'])

/** Areas of the scope where people may ride. */
export function selectOpenAreas({ scope }: { scope: Scope }) {
  return serviceAreaRow.select`
    from service_area
    where ${tenantFilter('service_area', scope)} and service_area.state = 'enabled' order by service_area.id`
}

/** All versions of one area, the latest beginning first. */
export function selectVersions({ scope, areaId }: { scope: Scope; areaId: number }) {
  return listedVersionRow.select`
    from price_version p join service_area on service_area.id = p.area_id
    left join price_withdrawal w on w.version_id = p.id
    where p.area_id = ${areaId} and ${tenantFilter('p', scope)}
    order by p.valid_from desc, p.id desc limit ${versionsMax}`
}

export async function findVersion(
  db: Pick<Database, 'read'>,
  { id, scope }: { id: number; scope: Scope },
): Promise<PriceVersion | null> {
  const query = versionRow.select`
    from price_version p join service_area on service_area.id = p.area_id
    where p.id = ${id} and ${tenantFilter('p', scope)}`
  const [row] = await db.read(scope, (k) => query.compile(k))
  return row === undefined ? null : versionOf(row)
}

export type NewVersion = {
  readonly agentId: number
  readonly areaId: number
  readonly name: string
  readonly rules: PriceVersion['rules']
  readonly validFrom: Date
  /** Null: the platform itself. */
  readonly authorId: number | null
  readonly authorName: string
  readonly createdAt: Date
}

export async function insertVersion(tx: Tx, version: NewVersion): Promise<number> {
  const { id } = await tx
    .insertInto('price_version')
    .values({
      agent_id: version.agentId,
      area_id: version.areaId,
      name: version.name,
      rules: JSON.stringify(version.rules),
      valid_from: version.validFrom,
      author_id: version.authorId,
      author_name: version.authorName,
      created_at: version.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Takes back what has not begun in these areas; the versions that were. */
export async function withdrawPlanned(
  tx: Tx,
  options: { scope: Scope; areaIds: readonly number[]; at: Date; operatorId: number; operatorName: string },
): Promise<VersionRow[]> {
  const { scope, areaIds, at, operatorId, operatorName } = options
  const { rows } = await versionRow
    .query(
      (list) => sql`
    with planned as (
      select p.* from price_version p
      where p.area_id = any (${areaIds}::bigint[]) and ${tenantFilter('p', scope)} and p.valid_from > ${at}
    ), taken as (
      insert into price_withdrawal (version_id, agent_id, area_id, withdrawn_at, withdrawn_by_id, withdrawn_by)
      select p.id, p.agent_id, p.area_id, ${at}, ${operatorId}, ${operatorName} from planned p
      on conflict do nothing returning version_id
    )
    select ${list} from taken join planned p on p.id = taken.version_id
    join service_area on service_area.id = p.area_id order by p.id`,
    )
    .execute(tx)
  return rows
}
