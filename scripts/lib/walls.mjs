/**
 * Architecture rules as functions over {path, text}: allowed imports, and a few bans that no linter covers.
 * `scripts/tidy.mjs` runs them over the tree; `walls.test.mjs` proves that each one finds violations.
 */

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g

export function importsOf(text) {
  return [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3])
}

const isTest = (path) => /\.(?:test|fixture)\.(ts|tsx|mjs)$/.test(path) || path.includes('/test/')

/** Workspace of a path: `packages/contract`, `apps/server`, … */
const houseOf = (path) => /^(packages|apps)\/[^/]+/.exec(path)?.[0] ?? path.split('/')[0]
/** First folder below `src`: a domain, `kit` or `app`; the server's demo stands beside `src`. */
const roomOf = (path) =>
  path.startsWith('apps/server/demo/') ? 'demo' : (/^(?:packages|apps)\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1] ?? null)

const allowedHouses = {
  'packages/client': ['@saddle/contract'],
  'packages/contract': ['@saddle/geo'],
  'packages/device-protocols': [],
  'packages/geo': [],
  'apps/server': ['@saddle/contract', '@saddle/device-protocols', '@saddle/geo'],
  'apps/console': ['@saddle/client', '@saddle/contract', '@saddle/geo'],
  'apps/simulator': ['@saddle/client', '@saddle/contract', '@saddle/device-protocols'],
}

/** What the contract may import besides itself. */
const contractImports = /^(?:zod|@saddle\/geo\/.+)$/

/** Domains that may not be imported by finance: they import finance. */
const aboveFinance = new Set(['riding', 'rider', 'marketing'])

/** What the tests of every package share belongs to none of them. */
const isSharedByTests = (path, specifier) =>
  path.endsWith('.test.ts') && specifier.endsWith('/scripts/lib/thorough.mjs')

function wallFault(path, specifier) {
  const house = houseOf(path)
  if (specifier.startsWith('../../') && !isSharedByTests(path, specifier))
    return 'reaches across folders with ../../: use a package import (#…)'
  const other = /^@saddle\/[^/]+/.exec(specifier)?.[0]
  const allowed = allowedHouses[house]
  if (other && allowed && !allowed.includes(other) && !isTest(path)) return `${house} may not import ${other}`
  if (house === 'packages/contract' && !isTest(path) && /^[a-z@]/.test(specifier) && !contractImports.test(specifier)) {
    return 'the contract imports zod and geo only'
  }
  if (house !== 'apps/server' && house !== 'apps/console') return null
  return roomFault({ house, room: roomOf(path), path, specifier })
}

function roomFault({ house, room, path, specifier }) {
  const target = /^#([^/]+)\//.exec(specifier)?.[1]
  if (room === null || target === undefined || target === room || target === 'kit') return null
  if (target === 'test') return isTest(path) ? null : 'only tests import test support'
  if (room === 'demo') return isTest(path) ? null : demoFault(target, specifier)
  if (target === 'demo') return isTest(path) ? null : 'only main.ts knows the demo'
  if (room === 'kit') return isTest(path) ? null : `kit knows no ${target}`
  if (target === 'app') return room === 'app' || isTest(path) ? null : 'domains do not know the app around them'
  if (room === 'app') {
    if (house === 'apps/server' && !/^#[^/]+\/public\.ts$/.test(specifier) && !isTest(path))
      return `use #${target}/public.ts, the only door of ${target}`
    return null
  }
  if (room === 'finance' && aboveFinance.has(target)) return `finance does not know ${target}`
  if (!/^#[^/]+\/public\.ts$/.test(specifier) && !isTest(path))
    return `use #${target}/public.ts, the only door of ${target}`
  return null
}

/** The demo writes history that no call could create, so each domain has a separate entry point for it. */
function demoFault(target, specifier) {
  if (specifier === '#app/domains.ts' || /^#[^/]+\/(?:public|demoDoor)\.ts$/.test(specifier)) return null
  return `use #${target}/public.ts or #${target}/demoDoor.ts, the doors of ${target}`
}

const bans = [
  { pattern: /\b(?:TODO|FIXME|XXX)\b/, only: /\.(ts|tsx|sql)$/, why: 'work left undone: do it or leave it out' },
  {
    pattern: /\b(?:it|test|describe)\.(?:skip|only|todo)\b/,
    only: /\.test\.(ts|tsx)$/,
    why: 'skipped or focused test',
  },
  { pattern: /\bDate\.now\(\)|new Date\(\)/, only: /rules\.ts$/, why: 'rules take the clock as an argument' },
  { pattern: /dangerouslySetInnerHTML/, only: /\.tsx?$/, why: 'users’ text never becomes markup' },
  {
    pattern: /\bconsole\.(?:log|info|warn|error|debug)\(/,
    only: /^apps\/server\/src\/(?!.*[cC]li\.ts$).*(?<!\.test)\.ts$/,
    why: 'use the log: it redacts',
  },
  {
    pattern: /\/wor[k]\/(?:main|shared|\.)|registr[y]\.npm|deb\.debia[n]/,
    only: /./,
    why: 'a machine path or a registry host',
  },
  { pattern: /敬请期待|开发中/, only: /\.tsx?$/, why: 'do not announce, build' },
  {
    pattern: /\b(?:86_?400_?000|3_?600_?000|60 \* 60 \* 1_?000|60 \* 60_000)\b/,
    only: /^(?!packages\/contract\/src\/time\.ts$|packages\/device-protocols\/).*\.tsx?$/,
    why: 'use hourMs and dayMs of contract/src/time.ts',
  },
  {
    pattern: /\b8 \* (?:60 \* )?(?:hour|HOUR|minute|3_?600)\w*/,
    only: /^(?!packages\/contract\/src\/(?:time|constants)\.ts$|packages\/device-protocols\/)(?!.*\.test\.).*\.tsx?$/,
    why: 'use businessOffsetMs and the business days of contract/src/time.ts',
  },
  {
    pattern: /\b(?:111_?(?:195|12\d|32\d)|0\.111_?(?:195|32)|6_?371(?:_\d{3}|\d{3}|\.\d+)?)\b/,
    // The demo city's map has its own scale.
    only: /^(?!packages\/geo\/src\/|apps\/simulator\/src\/city\/geometry\.ts$)(?!.*vectors\.fixture).*\.tsx?$/,
    why: 'use the distances and scales of geo/src/earth.ts',
  },
  {
    pattern: /\/ 100\)\.toFixed\(2\)/,
    only: /^(?!packages\/contract\/src\/money\.ts$).*\.tsx?$/,
    why: 'use yuanText of contract/src/money.ts',
  },
]

const maxLines = 400
/** Files from before the limit, with the lines they have. No file is added, and none grows. */
const longFiles = {}

/** Faults of one file: `[{path, line, why}]`. */
export function faultsOf({ path, text }) {
  const faults = []
  for (const specifier of importsOf(text)) {
    const why = wallFault(path, specifier)
    if (why) faults.push({ path, line: lineOf(text, specifier), why: `${specifier}: ${why}` })
  }
  if (path.startsWith('scripts/lib/walls')) return faults
  for (const { pattern, only, why } of bans) {
    const found = only.test(path) ? pattern.exec(text) : null
    if (found) faults.push({ path, line: lineOf(text, found[0]), why: `${found[0].trim()}: ${why}` })
  }
  const lines = text.split('\n').length
  if (/\.(ts|tsx|mjs)$/.test(path) && lines > (longFiles[path] ?? maxLines) && !path.endsWith('/db/types.ts')) {
    faults.push({ path, line: 1, why: `${lines} lines: split the file by subject (at most ${maxLines} lines)` })
  }
  return faults
}

const lineOf = (text, part) => text.slice(0, text.indexOf(part)).split('\n').length

/** Cycles between the domains of the server, or of the console, as `a → b → a`. */
export function domainCycles(files) {
  return ['apps/server', 'apps/console'].flatMap((house) =>
    cyclesWithin(files.filter(({ path }) => path.startsWith(`${house}/src/`))),
  )
}

function cyclesWithin(files) {
  const edges = new Map()
  for (const { path, text } of files) {
    if (isTest(path)) continue
    const room = roomOf(path)
    if (room === null || room === 'app' || room === 'kit') continue
    for (const specifier of importsOf(text)) {
      const target = /^#([^/]+)\//.exec(specifier)?.[1]
      if (target && target !== room && target !== 'kit') edges.set(room, (edges.get(room) ?? new Set()).add(target))
    }
  }
  const cycles = []
  const visit = (room, trail) => {
    if (trail.includes(room)) {
      cycles.push([...trail.slice(trail.indexOf(room)), room].join(' → '))
      return
    }
    if (trail.length > 30) return
    for (const next of edges.get(room) ?? []) visit(next, [...trail, room])
  }
  for (const room of edges.keys()) visit(room, [])
  return [...new Set(cycles)]
}
