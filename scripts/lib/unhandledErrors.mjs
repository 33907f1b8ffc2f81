/** A reporter of vitest: one line for each error outside of any test. Such an error fails a run in which no test failed. */
export default class UnhandledErrors {
  onTestRunEnd(_, errors) {
    for (const error of errors) {
      const [message] = String(error.message ?? error).split('\n', 1)
      const [, place = ''] = /\(?((?:file:\/\/)?\/[^\s)]+)\)?/.exec(error.stack ?? '') ?? []
      console.log(`failed: outside of any test: ${error.name ?? 'Error'}: ${message.slice(0, 300)} ${place}`)
    }
  }
}
