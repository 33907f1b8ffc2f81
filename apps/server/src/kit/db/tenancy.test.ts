import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '#test/database.ts'

const { owner } = await testDatabase()

type TableRow = { name: string; enabled: boolean; forced: boolean }
type PolicyRow = { name: string; roles: string[]; command: string; using: string | null; check: string | null }

async function tenantTables(): Promise<TableRow[]> {
  const { rows } = await sql<TableRow>`
    select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'agent_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    order by 1`.execute(owner)
  return rows
}

it('every table with agent_id has row level security enabled, forced and checked on the way in', async () => {
  const tables = await tenantTables()
  expect(tables.map((table) => table.name)).toContain('idempotency')
  expect(tables.filter((table) => !table.enabled || !table.forced)).toEqual([])

  const { rows: policies } = await sql<PolicyRow>`
    select tablename as name, roles::text[] as roles, cmd as command, qual as "using", with_check as "check"
    from pg_policies where schemaname = 'public'`.execute(owner)
  const faults = tables.flatMap(({ name }) => {
    const ofOthers = policies.filter((policy) => policy.name === name && !policy.roles.includes('saddle_system'))
    return ofOthers.length === 0 ? [`${name}: no policy`] : ofOthers.flatMap(policyFaults)
  })
  expect(faults).toEqual([])
})

/** A policy for one command only has the half that its command uses. */
function policyFaults({ name, roles, command, using, check }: PolicyRow): string[] {
  // The second form is for tables that are searched over thousands of companies: a sub-select is hashed.
  const isBound = (text: string | null): boolean =>
    text !== null && (text.includes('agent_id = ANY') || /agent_id IN \( SELECT unnest\(app_agent_ids\(\)\)/.test(text))
  return [
    roles.join() === 'saddle_app' ? null : `${name}: a policy for ${roles.join()}`,
    command === 'INSERT' || isBound(using) ? null : `${name}: shows rows of any agent`,
    command === 'SELECT' || command === 'DELETE' || check === 'false' || isBound(check)
      ? null
      : `${name}: takes rows of any agent`,
  ].filter((fault) => fault !== null)
}

it('no view looks around row level security', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'v' and relnamespace = 'public'::regnamespace
      and not coalesce(reloptions, '{}') @> array['security_invoker=true']`.execute(owner)
  expect(rows).toEqual([])
})

it('no function that a request may call runs with the rights of its owner', async () => {
  const { rows } = await sql<{ name: string }>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
      and has_function_privilege('saddle_app', oid, 'execute')
      -- These read sums that are hidden from requests, and cut what they return to the scope of the request themselves.
      and not (proname ~ '^report_(ride|money|fleet)_rest_(day|hour)$'
        and pg_get_functiondef(oid) ~ 'report_reach\\([^)]*agents, app_agent_ids\\(\\)\\)'
        and pg_get_functiondef(oid) ~ 'report_reach\\([^)]*areas, app_area_ids\\(\\)\\)')
      -- It reads what companies above have chosen.
      and not (proname = 'chosen_numbers' and pg_get_functiondef(oid) ~ 'any \\(app_agent_ids\\(\\)\\)')`.execute(owner)
  expect(rows).toEqual([])
})

it('the roles of requests and jobs cannot get around policies', async () => {
  const { rows } = await sql<{ rolname: string; rolsuper: boolean; rolbypassrls: boolean }>`
    select rolname, rolsuper, rolbypassrls from pg_roles where rolname like 'saddle\\_%' order by 1`.execute(owner)
  expect(rows).toEqual([
    { rolname: 'saddle_app', rolsuper: false, rolbypassrls: false },
    { rolname: 'saddle_app_login', rolsuper: false, rolbypassrls: false },
    { rolname: 'saddle_system', rolsuper: false, rolbypassrls: false },
    { rolname: 'saddle_system_login', rolsuper: false, rolbypassrls: false },
  ])
})
