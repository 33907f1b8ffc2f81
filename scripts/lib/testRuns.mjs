/**
 * What a run of vitest has brought, and what it has brought after the files that failed were run once more by themselves.
 *
 * A run is `{ files, stray }`. A file is `{ path, passed, skipped, failures, seconds }` with `failures` as `{ title, message }`;
 * `title` is null for a file that could not be loaded and for an error outside of any test. `stray` are the messages of errors
 * that belong to no file.
 */

/** More failed files than this are no matter of a busy machine: none is run once more. */
export const REPEATED_FILES = 8

/** A run from vitest's JSON and the errors outside of any test, `{ path, message }`; `toPath` makes a path of a file's name. */
export function runOf(json, errors, toPath) {
  const files = json.testResults.map((file) => fileOf(file, toPath))
  const stray = []
  for (const { path, message } of errors) {
    const file = path === null ? undefined : files.find((one) => one.path === toPath(path))
    if (file === undefined) stray.push(message)
    else file.failures.push({ title: null, message: `outside of any test: ${message}` })
  }
  return { files, stray }
}

function fileOf({ name, status, message, assertionResults, startTime, endTime }, toPath) {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  const passed = assertionResults.filter((test) => test.status === 'passed').length
  const isBroken = status === 'failed' && failed.length === 0
  return {
    path: toPath(name),
    passed,
    skipped: assertionResults.length - passed - failed.length,
    failures: isBroken
      ? [{ title: null, message: firstLine(message) }]
      : failed.map((test) => ({ title: test.fullName, message: firstLine(test.failureMessages?.[0]) })),
    seconds: (endTime - startTime) / 1000,
  }
}

const firstLine = (message) => (message ?? '').split('\n', 1)[0].slice(0, 300)

/** The paths of the files to run once more: none when all is well, when many failed or when an error belongs to no file. */
export function filesToRepeat({ files, stray }) {
  const failed = files.filter(({ failures }) => failures.length > 0).map(({ path }) => path)
  return stray.length > 0 || failed.length > REPEATED_FILES ? [] : failed
}

/** The first run with its failed files replaced by what they brought by themselves. */
export function joinRuns(first, repeated) {
  const again = new Map(repeated.files.map((file) => [file.path, file]))
  return {
    files: first.files.map((file) => again.get(file.path) ?? file),
    stray: [...first.stray, ...repeated.stray],
  }
}

/** Lines for the failures of a run, one for each: long output is often cut off at its start. */
export function failureLines({ files, stray }) {
  const ofFiles = files.flatMap(({ path, failures }) =>
    failures.map(({ title, message }) => (title === null ? `${path}: ${message}` : `${path} > ${title}: ${message}`)),
  )
  return [...ofFiles, ...stray.map((message) => `outside of any test: ${message}`)]
}

/** The counts of a run. What is no test, such as a file that could not be loaded, counts as one failed test. */
export function countsOf({ files, stray }) {
  const sum = (count) => files.reduce((total, file) => total + count(file), 0)
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failures }) => failures.length) + stray.length,
    skipped: sum(({ skipped }) => skipped),
  }
}
