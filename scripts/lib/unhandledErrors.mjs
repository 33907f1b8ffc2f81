import { writeFileSync } from 'node:fs'

/** Names the file that the errors of a run are written to, as JSON. */
export const ERRORS_VARIABLE = 'SADDLE_UNHANDLED_ERRORS'

/**
 * A reporter of vitest: errors outside of any test, which fail a run in which no test failed. Each is `{ path, message }`;
 * `path` is the test file that was running, or null when vitest does not know.
 */
export default class UnhandledErrors {
  onTestRunEnd(_, errors) {
    const found = errors.map((error) => {
      const [message] = String(error.message ?? error).split('\n', 1)
      const [, place = ''] = /\(?((?:file:\/\/)?\/[^\s)]+)\)?/.exec(error.stack ?? '') ?? []
      return {
        path: error.VITEST_TEST_PATH ?? null,
        message: `${error.name ?? 'Error'}: ${message.slice(0, 300)} ${place}`.trim(),
      }
    })
    writeFileSync(process.env[ERRORS_VARIABLE], JSON.stringify(found))
  }
}
