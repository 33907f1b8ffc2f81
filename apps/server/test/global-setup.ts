import type { TestProject } from 'vitest/node'
import { prepareTestCluster } from './cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testPostgres: { url: string; template: string }
  }
}

/** One PostgreSQL for all test files of a run, shared with runs that happen at the same time in the same checkout. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await prepareTestCluster()
  project.provide('testPostgres', { url: cluster.url, template: cluster.template })
  return () => cluster.stop()
}
