import { match } from 'pinyin-pro'

/** Whether a text is spelled by Latin letters: the first letters of its characters, whole syllables, or a mixture of both. */
export const isSpelled = (text: string, letters: string): boolean => match(text, letters, { continuous: true }) !== null
