import type { AgentOption, Branding } from '@saddle/contract/organisation/agents.ts'
import { scopeListMax } from '@saddle/contract/constants.ts'
import { sql } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { likePattern, normalisedDomain } from './rules.ts'

/** The agents of a scope, the outermost first. */
export function findAgents(options: {
  db: Database
  scope: Scope
  keyword: string | undefined
}): Promise<AgentOption[]> {
  const { db, scope, keyword } = options
  return db.read(scope, (k) => {
    const query = k
      .selectFrom('agent')
      .select(['id as agentId', 'company'])
      .where((eb) => eb('agent_id', '=', eb.fn.any(eb.val(scope.agentIds))))
      .orderBy(sql`parent_id is not null`)
      .orderBy('id')
      .limit(scopeListMax)
    return (keyword === undefined ? query : query.where('company', 'ilike', likePattern(keyword))).compile()
  })
}

export type AgentIdentity = { id: number; company: string; isRoot: boolean }

/** One agent of the scope; null when it does not exist or lies outside. */
export async function findAgent(options: {
  db: Database
  scope: Scope
  agentId: number
}): Promise<AgentIdentity | null> {
  const { db, scope, agentId } = options
  const rows = await db.read(scope, (k) =>
    k
      .selectFrom('agent')
      .select(['id', 'company', sql<boolean>`parent_id is null`.as('isRoot')])
      .where('id', '=', agentId)
      .where((eb) => eb('agent_id', '=', eb.fn.any(eb.val(scope.agentIds))))
      .compile(),
  )
  return rows[0] ?? null
}

const ofDomain = rowOf('agent', ['id', 'api_key_hash', 'web_img', 'web_title', 'app_title', 'brand_company'])

/** Before any login, so as the system; null when no enabled agent has the domain. */
export async function findByDomain({ db, domain }: { db: Database; domain: string }) {
  const rows = await db.systemRead((k) =>
    ofDomain.select`from agent where domain = ${domain} and state = 'enabled'`.compile(k),
  )
  return rows[0] ?? null
}

export interface NewAgent {
  /** Absent: the next free one. */
  readonly id?: number
  /** Null only for the one root, the platform. */
  readonly parentId: number | null
  readonly company: string
  readonly domain?: string
  readonly branding?: Partial<Branding>
}

/** Adds an agent and returns its id. A second root, or a domain that is taken, violates a unique key. */
export async function insertAgent(options: { tx: Tx; agent: NewAgent }): Promise<number> {
  const { id, parentId, company, domain, branding } = options.agent
  const row = await options.tx
    .insertInto('agent')
    .values({
      ...(id === undefined ? {} : { id }),
      parent_id: parentId,
      company,
      domain: domain === undefined ? null : normalisedDomain(domain),
      web_img: branding?.webImg ?? null,
      web_title: branding?.webTitle ?? null,
      app_title: branding?.appTitle ?? null,
      brand_company: branding?.company ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
