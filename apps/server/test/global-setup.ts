import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { prepareTestCluster, type TestCluster } from './cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Port at which `testCluster` asks for the run's PostgreSQL. */
    testPostgresPort: number
  }
}

/**
 * One PostgreSQL for all test files of a run, shared with runs that happen at the same time in the same checkout. It
 * starts when the first test file asks for it, so tests of pure functions run without one.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<TestCluster> | undefined
  const server = createServer((socket) => {
    socket.on('error', () => {})
    starting ??= prepareTestCluster()
    starting.then(
      ({ url, template }) => socket.end(JSON.stringify({ url, template })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A server that listens on TCP has this form of address.
  project.provide('testPostgresPort', (server.address() as AddressInfo).port)
  return async () => {
    server.close()
    await starting?.then(
      (cluster) => cluster.stop(),
      () => {},
    )
  }
}
