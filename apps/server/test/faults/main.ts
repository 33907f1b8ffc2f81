import { runFaults, usualPauseMs, type BusKind } from './run.ts'
import { isSound, summaryOf } from './summary.ts'

/**
 * `npm run --silent faults -- [--seconds=60] [--seed=1] [--bus=nats] [--pause=1000]`: a cluster of two gateways, two api servers and two workers on one
 * PostgreSQL, each a process of its own, under load from vehicles of three protocols, riders and staff, and struck by faults as
 * the seed says. Ctrl+C ends the faults, and what was acknowledged is counted. The last line tells what was lost; exit code 1 unless
 * it is nothing and all verifiers are sound.
 */
const wordOf = (name: string): string | undefined =>
  process.argv.findLast((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

function numberOf(name: string, fallback: number): number {
  const value = Number(wordOf(name) ?? fallback)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1`)
  return value
}

function busOf(): BusKind | undefined {
  const word = wordOf('bus')
  if (word !== undefined && word !== 'nats' && word !== 'database') throw new Error('--bus is nats or database')
  return word
}

const seed = numberOf('seed', Math.floor(Date.now() / 1_000))
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort())
const run = await runFaults({
  seed,
  signal: ending.signal,
  seconds: numberOf('seconds', 60),
  pauseMs: numberOf('pause', usualPauseMs),
  bus: busOf(),
  say: (sentence) => console.log(sentence),
})
for (const line of summaryOf(run)) console.log(line)
process.exitCode = isSound(run) ? 0 : 1
