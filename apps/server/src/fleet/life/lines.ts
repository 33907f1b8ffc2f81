import type { Language } from '@saddle/contract/constants.ts'
import type { LifeEntry } from '@saddle/contract/fleet/life.ts'
import { wordsOfFailures } from '@saddle/contract/production/factoryWords.ts'
import { inLanguage } from '#kit/language.ts'

const joined = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(' · ')

/** An entry of a vehicle's life as the columns of the file name it: codes are written `kind:code`. */
export function lineOf(entry: LifeEntry, language: Language): object {
  const line = { at: entry.at, kind: entry.kind }
  switch (entry.kind) {
    case 'event':
      return {
        ...line,
        what: `event:${entry.event}`,
        before: `event:${entry.from}`,
        after: `event:${entry.to}`,
        source: `event:${entry.cause}`,
      }
    case 'command': {
      const { kind, state, finishedAt, operatorName, reason, failure } = entry.command
      return {
        ...line,
        what: `command:${kind}`,
        after: `command:${state}`,
        endedAt: finishedAt,
        person: operatorName,
        note: joined(reason, failure && inLanguage(language, failure)),
      }
    }
    case 'alarm': {
      const times = entry.times > 1 ? `× ${entry.times}` : null
      const { closedAt, fixedBy, note } = entry
      return {
        ...line,
        what: `alarm:${entry.alarm}`,
        endedAt: closedAt,
        person: fixedBy,
        note: joined(times, note),
      }
    }
    case 'task':
      return {
        ...line,
        what: `task:${entry.task}`,
        after: `task:${entry.state}`,
        source: `task:${entry.source}`,
        endedAt: entry.doneAt,
        person: entry.personName,
        note: entry.note,
      }
    case 'unit': {
      const { event, part, before, after, note, failures, personName } = entry
      const found = wordsOfFailures(failures, (text) => inLanguage(language, text))
      return { ...line, what: `unit:${event}`, part, before, after, person: personName, note: joined(note, found) }
    }
    case 'trip':
      return { ...line, endedAt: entry.trip.endedAt, distanceM: entry.trip.distanceM }
  }
}
