/**
 * The type of a row comes from the columns that are selected: `rowOf` and its like of the server's `kit/db/rows.ts`. A type
 * that is written by hand beside a select list compiles when the two disagree. Files with such types are named here with
 * their number; no file is added, and none gets more.
 */

const handWritten = {
  /** No row of the database, but what is passed on or written under that name. */
  passed: {},
  /** Several tables give the same columns, by a union or one after the other: no table names them all. */
  union: {
    'operations/tasks/store.ts': 1,
    'rider/timeline/money.ts': 1,
    'support/chat/rules.ts': 1,
  },
  /** From before `rowOf`: most of them share a select list as text. Whoever changes one declares its columns. */
  shared: {
    'finance/ledger/store.ts': 1,
    'finance/ledger/verify.ts': 2,
    'finance/payments/store.ts': 3,
    'operations/areas/handlers.ts': 1,
    'operations/taskRules/handlers.ts': 1,
    'operations/taskRules/pass.ts': 1,
    'operations/statistics/cars.ts': 1,
    'operations/statistics/reports.ts': 1,
    'operations/statistics/store.ts': 2,
    'riding/charges/store.ts': 1,
    'riding/life/store.ts': 2,
    'riding/prices/store.ts': 1,
    'riding/reconcile/reconcile.ts': 1,
  },
}

const allowed = Object.assign({}, ...Object.values(handWritten))
const root = 'apps/server/src/'
const pattern = /^(?:export )?(?:type \w*Row = [^\n]*\{|interface \w*Row\b)|\bsql<\s*\{/gm

/** Faults of one file: `[{path, line, why}]`. */
export function rowTypeFaults({ path, text }) {
  if (!path.startsWith(root) || path.startsWith(`${root}kit/`) || !/(?<!\.test|\.fixture)\.ts$/.test(path)) return []
  const found = [...text.matchAll(pattern)]
  const most = allowed[path.slice(root.length)] ?? 0
  return found.slice(most).map((match) => ({
    path,
    line: text.slice(0, match.index).split('\n').length,
    why: `${match[0].trim()}: take the type of a row from its columns, by rowOf of kit/db/rows.ts`,
  }))
}
