import { BaseSequencer } from 'vitest/node'

/** The slowest files, slowest first: started late, one would run alone at the end, on one processor. */
const LONG = [
  // Only in the longer checks, where it takes longer than all others.
  'telemetry/gateway/kill.test.ts',
  'test/openings/openings.test.ts',
  'test/isolation/filters.test.ts',
  'test/isolation/deployed.test.ts',
  'test/isolation/extremes.test.ts',
  'kit/start/start.test.ts',
  'test/isolation/mutation.test.ts',
  'kit/postgres/embedded.test.ts',
  'riding/rides/crash.test.ts',
  // Of the browser tests: in the longer checks one takes as long as half of the others together.
  'e2e/routes.test.ts',
  'e2e/map-selection.test.ts',
]

/**
 * Orders the files of a run so that all processors are busy to its end. A browser that draws maps by software takes
 * more than a processor of its own, so its files are spread among the others; files of one project follow each other,
 * because they share what is loaded.
 */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const ordered = files.toSorted((a, b) => rank(a) - rank(b) || compare(keyOf(a), keyOf(b)))
    const browser = ordered.filter(({ project }) => project.name === 'e2e')
    const others = ordered.filter(({ project }) => project.name !== 'e2e')
    return spread(browser, others)
  }
}

/** Spreads `few` evenly among `many`, starting with one of `few`. */
export function spread(few, many) {
  const each = many.length / Math.max(few.length, 1)
  const result = few.flatMap((one, index) => [
    one,
    ...many.slice(Math.round(index * each), Math.round((index + 1) * each)),
  ])
  return few.length === 0 ? many : result
}

function rank({ moduleId }) {
  const index = LONG.findIndex((path) => moduleId.endsWith(path))
  return index === -1 ? LONG.length : index
}

const keyOf = ({ project, moduleId }) => `${project.name} ${moduleId}`
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
