import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Ports, browsers and databases answer within milliseconds here; the bounds only end what hangs.
const TEST_TIMEOUT_MS = 30_000
const BROWSER_TIMEOUT_MS = 120_000
const POLL_TIMEOUT_MS = 20_000

const nothing = ['**/node_modules/**', '**/dist/**', '**/.cache/**', '**/data/**']

/** Property tests draw the same values in every run. */
const resolve = {
  alias: [{ find: /^fast-check$/, replacement: fileURLToPath(new URL('scripts/lib/fastCheck.mjs', import.meta.url)) }],
}

export default defineConfig({
  test: {
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
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
        },
      },
      {
        resolve,
        test: {
          name: 'server',
          environment: 'node',
          include: ['apps/server/**/*.test.ts'],
          exclude: nothing,
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
          globalSetup: ['apps/server/test/global-setup.ts'],
          // A browser that draws maps by software needs a core of its own.
          fileParallelism: false,
          // What a screen shows follows a moment later: one bound for all of these waits.
          expect: { poll: { timeout: POLL_TIMEOUT_MS, interval: 100 } },
          testTimeout: BROWSER_TIMEOUT_MS,
          hookTimeout: BROWSER_TIMEOUT_MS,
        },
      },
    ],
  },
})
