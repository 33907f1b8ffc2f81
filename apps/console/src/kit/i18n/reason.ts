import { readReason } from '@saddle/contract/riding/reasons.ts'
import { t } from './index.ts'

/** A reason in the person's language where the platform gave it; what a person wrote stays as it is. */
export function wordsOfReason(text: string): string {
  const read = readReason(text)
  return read === null ? text : t(read.sentence, read.values)
}
