// The system's Node may be as old as 20; everything after the installation runs under the project's own.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** The project's Node; its package puts it here when it is installed. */
export const NODE = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** An environment where `node` and the workspace tools resolve to the project's own. */
export function projectEnvironment(extra = {}) {
  const path = [dirname(NODE), join(ROOT, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter)
  return { ...process.env, PATH: path, ...extra }
}

/** Whether this process runs the project's Node (or one at least as new). */
function isProjectNode() {
  return Number(process.versions.node.split('.')[0]) >= 24
}

/** Runs this same script again under the project's Node and ends with its exit code; returns when it already is. */
export function becomeProjectNode() {
  if (isProjectNode()) return false
  if (!existsSync(NODE)) throw new Error('the project is not installed: run npm ci')
  runToEnd({ command: NODE, args: process.argv.slice(1), env: projectEnvironment() })
  return true
}

/** Runs a command in the foreground, forwards our signals to it and returns its exit code. */
function runToEnd({ command, args, env = projectEnvironment() }) {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', (error) => {
    console.error(`${command} cannot be run: ${error.message}`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => process.exit(exitCode(code, signal)))
}

/** The exit code that a shell would show for a child that ended. */
export function exitCode(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0)
}
