/**
 * The type of a row comes from the columns that are selected: `rowOf` and its like of the server's `kit/db/rows.ts`. A type
 * that is written by hand beside a select list compiles when the two disagree.
 */

/** Types that are still written by hand, by file: no file is added, no count grows, and fixed types are removed. */
const handWritten = {}

const root = 'apps/server/src/'
const pattern = /^(?:export )?(?:type \w*Row = [^\n]*\{|interface \w*Row\b)|\bsql<\s*\{/gm

/** The types of a file that are written by hand; none of a file that need not take them from columns. */
function foundIn({ path, text }) {
  if (!path.startsWith(root) || path.startsWith(`${root}kit/`) || !/(?<!\.test|\.fixture)\.ts$/.test(path)) return []
  return [...text.matchAll(pattern)]
}

/** Faults of one file: `[{path, line, why}]`. */
export function rowTypeFaults(file, allowed = handWritten) {
  const { path, text } = file
  return foundIn(file)
    .slice(allowed[path.slice(root.length)] ?? 0)
    .map((match) => ({
      path,
      line: text.slice(0, match.index).split('\n').length,
      why: `${match[0].trim()}: take the type of a row from its columns, by rowOf of kit/db/rows.ts`,
    }))
}

/** Exceptions that allow more than the files of the tree need. */
export function staleRowTypes(files, allowed = handWritten) {
  const counts = new Map(files.map((file) => [file.path, foundIn(file).length]))
  return Object.entries(allowed).flatMap(([path, most]) => {
    const needed = counts.get(`${root}${path}`) ?? 0
    return needed < most ? [`scripts/lib/rowTypes.mjs: ${path} needs ${needed} and not ${most}`] : []
  })
}
