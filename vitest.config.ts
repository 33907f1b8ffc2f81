import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { minuteMs } from '@saddle/contract/time.ts'
import { LongestFirst } from './scripts/lib/sequencer.mjs'

// Ports, browsers and databases answer within milliseconds here; the bounds only end what hangs, on the busiest machine.
const TEST_TIMEOUT_MS = 120_000
const BROWSER_TIMEOUT_MS = 300_000
const POLL_TIMEOUT_MS = minuteMs
// They share one PostgreSQL and its connections.
const MAX_WORKERS = 8

/** What is waited for comes a moment later, on a busy machine some: one bound for all of these waits. */
const poll = { timeout: POLL_TIMEOUT_MS }

const nothing = ['**/node_modules/**', '**/dist/**', '**/.cache/**', '**/data/**']

/** Property tests draw the same values in every run. */
const resolve = {
  alias: [{ find: /^fast-check$/, replacement: fileURLToPath(new URL('scripts/lib/fastCheck.mjs', import.meta.url)) }],
}

const isolationMutants = 'apps/server/test/isolation/mutation.test.ts'

export default defineConfig({
  test: {
    // The default leaves one processor to vitest itself, which needs next to nothing: half of a small machine.
    maxWorkers: Math.min(availableParallelism(), MAX_WORKERS),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        test: {
          name: 'plain',
          environment: 'node',
          include: [
            'packages/**/*.test.ts',
            'apps/simulator/**/*.test.ts',
            'apps/console/**/*.test.ts',
            'scripts/**/*.test.mjs',
            'bench/**/*.test.ts',
          ],
          exclude: nothing,
          expect: { poll },
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
        },
      },
      {
        resolve,
        test: {
          name: 'server',
          environment: 'node',
          // The checks of GBFS are published as TypeScript.
          server: { deps: { inline: ['gbfs-typescript-types'] } },
          include: ['apps/server/**/*.test.ts'],
          exclude: [...nothing, isolationMutants],
          globalSetup: ['apps/server/test/global-setup.ts'],
          // To load the server takes longer than most of its files of tests.
          isolate: false,
          expect: { poll },
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
        },
      },
      {
        resolve,
        test: {
          name: 'mutants',
          environment: 'node',
          // It puts itself between the server and its statements, so nothing may have been loaded before.
          include: [isolationMutants],
          globalSetup: ['apps/server/test/global-setup.ts'],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
        },
      },
      {
        resolve,
        test: {
          name: 'console',
          environment: 'happy-dom',
          include: ['apps/console/**/*.test.tsx'],
          exclude: nothing,
          setupFiles: ['apps/console/test/setup.ts'],
          expect: { poll },
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['e2e/**/*.test.ts'],
          exclude: nothing,
          globalSetup: ['e2e/prepare.ts'],
          expect: { poll: { ...poll, interval: 100 } },
          testTimeout: BROWSER_TIMEOUT_MS,
          hookTimeout: BROWSER_TIMEOUT_MS,
        },
      },
    ],
  },
})
