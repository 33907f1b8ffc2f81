/**
 * `npm run --silent spec -- routes|endpoints`: what the product implements, as JSON, to compare with the specification.
 * A route has a page when a domain's pages.ts names a component for it; a call is handled when it is a row of the
 * contract: the server does not compile, nor start, with a row that has no handler.
 */
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { menuRows } from '@saddle/contract/menu.ts'
import { specifiedCalls } from '@saddle/contract/specifiedCalls.ts'
import { builtPaths } from '../apps/console/src/app/pages.ts'

function routes(): unknown[] {
  const built = new Set(builtPaths)
  return menuRows.map((row) => ({
    path: row.path,
    permission: row.permission,
    hidden: row.hidden === true,
    // A group or a redirect is present when its target is present.
    page: built.has(row.path) || (row.redirect !== undefined && built.has(row.redirect)),
  }))
}

function calls(): unknown[] {
  const rows: Endpoint[] = Object.values(endpoints)
  const handled = rows.map((row) => ({ method: row.method, path: row.path, host: row.host, handled: true }))
  const have = new Set(rows.map((row) => `${row.method} ${row.path}`))
  const missing = specifiedCalls
    .filter(([method, path]) => !have.has(`${method} ${path}`))
    .map(([method, path, host]) => ({ method, path, host, handled: false }))
  return [...handled, ...missing]
}

const wanted = process.argv[2]
if (wanted === 'routes') console.log(JSON.stringify(routes(), null, 1))
else if (wanted === 'endpoints') console.log(JSON.stringify(calls(), null, 1))
else {
  console.error('usage: npm run --silent spec -- routes|endpoints')
  process.exitCode = 2
}
