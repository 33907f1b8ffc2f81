// `npm run dev`: the platform with the demo city, as `npm start` runs it; what is saved is built. A change of the server,
// the contract or the device protocols restarts the server, a change of the console builds it anew: reload the page.
// The city goes on. SADDLE_INSPECT=9229 opens the debugger's port of the server.
import { spawn } from 'node:child_process'
import { rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { NODE, projectEnvironment, ROOT } from './lib/node24.mjs'
import { CONSOLE, CONSOLE_STAMP, orOneLine, setUp } from './lib/setup.mjs'
import { watchParent } from './lib/supervisor.mjs'

const SERVER_SOURCES = ['apps/server/src', 'packages/contract/src', 'packages/device-protocols/src', 'packages/geo/src']
/** Editors write a file in several steps, and a checkout many files at once. */
const QUIET_MS = 300

function restartOnChange(start) {
  let timer = null
  for (const folder of SERVER_SOURCES) {
    watch(join(ROOT, folder), { recursive: true }, (_event, name) => {
      if (name === null || !/\.(ts|json|sql)$/.test(name) || name.endsWith('.test.ts')) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        console.error(`dev: ${name} has changed, the server restarts`)
        start.kill('SIGUSR2')
      }, QUIET_MS)
    })
  }
}

function buildOnChange() {
  // This build is readable (for debugging); `npm start` makes its own build again.
  rmSync(CONSOLE_STAMP, { force: true })
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--watch', '--minify', 'false', '--emptyOutDir', 'false', '--logLevel', 'warn']
  return spawn(NODE, args, { cwd: CONSOLE, env: projectEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] })
}

await orOneLine(() => {
  setUp()
  const start = spawn(process.execPath, [join(ROOT, 'scripts', 'start.mjs'), ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const build = buildOnChange()
  restartOnChange(start)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => start.kill(signal))
  watchParent(() => start.kill('SIGTERM'))
  start.once('exit', (code) => {
    build.kill()
    process.exit(code ?? 1)
  })
})
