import type { FaultRun } from './run.ts'

const inWords = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, times]) => `${times} ${name}`)
    .join(', ')

/** What happened and what became of it; the last line is the one that is kept. */
export function summaryOf({ faults, kills, acknowledged, wrong, partitions, lost, doubled }: FaultRun): string[] {
  const killed = Object.values(kills).reduce((sum, times) => sum + times, 0)
  return [
    `struck: ${Object.entries(faults)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ')}`,
    `killed: ${inWords(kills)}`,
    `acknowledged: ${inWords(acknowledged)}`,
    wrong.length === 0 ? 'live indexes and verifiers: sound' : `live indexes and verifiers: ${wrong.length} broken`,
    `faults: ${killed} kills, ${partitions} partitions, ${lost} lost, ${doubled} doubled`,
  ]
}

/** Nothing is lost, doubled or broken, and something was acknowledged, without which nothing would be proved. */
export const isSound = ({ lost, doubled, wrong, acknowledged }: FaultRun): boolean =>
  lost === 0 && doubled === 0 && wrong.length === 0 && (acknowledged['reports'] ?? 0) > 0
