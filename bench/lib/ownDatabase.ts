import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { createLog, silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'

/** Runs the work on a migrated database of its own in a new folder, and removes both. */
export async function withOwnDatabase(
  { name, under = tmpdir() }: { readonly name: string; readonly under?: string | undefined },
  work: (made: { readonly url: string; readonly folder: string }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(under, `saddle-${name}-`))
  // PostgreSQL runs under an account of its own, which has to reach its folder: elsewhere the data would stay behind.
  chmodSync(folder, 0o755)
  const postgres = await startEmbedded({ dataDir: join(folder, 'data'), log: createLog({ level: 'error' }) })
  try {
    await migrate({ url: postgres.url, log: silentLog })
    await work({ url: postgres.url, folder })
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const firstAreaId = 5_000
/** Ids of `addCompanies`: companies count up from 1, which is above the others. */
export const idsOf = ({ companies, areas }: { readonly companies: number; readonly areas: number }) => ({
  agentIds: Array.from({ length: companies }, (_, n) => n + 1),
  areaIds: Array.from({ length: areas }, (_, n) => firstAreaId + n),
})

/** Companies and their areas, which are dealt out in turn: area 5000 + n belongs to company 1 + n % companies. */
export async function addCompanies(
  client: pg.Client,
  { companies, areas }: { readonly companies: number; readonly areas: number },
): Promise<void> {
  await client.query(`
    insert into agent (id, parent_id, company) overriding system value
    select n, case when n > 1 then 1 end, 'company ' || n from generate_series(1, ${companies}) n on conflict do nothing`)
  await client.query(`
    insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring, created_at)
    select ${firstAreaId} + n, 1 + n % ${companies}, 'area ' || n, 31.2, 120.6, '[[120,31],[121,31],[121,32],[120,31]]', now()
    from generate_series(0, ${areas - 1}) n`)
}

/** Two companies and the area 31 of the second one, in which `gatewayServer.ts` registers its vehicles. */
export async function addOneArea(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    insert into agent (id, parent_id, company) overriding system value values (2, null, 'A'), (3, 2, 'B');
    insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring) overriding system value
    values (31, 3, 'N', 31.3, 120.6, '[[120,31],[121,31],[121,32],[120,31]]')`)
  await client.end()
}
