import { isPlatformNote } from '@saddle/contract/finance/platformNotes.ts'
import { t } from '#kit/i18n/index.ts'

/** A note as its reader sees it: what a person wrote as it is, what the platform wrote in the reader's language. */
export const noteText = (note: string): string => (isPlatformNote(note) ? t(note) : note)
