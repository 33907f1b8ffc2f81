/**
 * How much a test does: little in `npm test`, more in the longer checks of CI (`npm run test:long`), and as much as is
 * claimed anywhere by hand (`npm run test:full`). A test of the latter two names this file.
 */
const how = process.env.SADDLE_LONG ?? ''

/** Whether the longer checks run, by CI or by hand. */
export const isLong = how !== ''

/** Whether everything runs that is only run by hand: hours. */
export const isFull = how === 'full'

/** The number of rounds for this run. */
export function thorough({ normal, long, full = long }) {
  if (isFull) return full
  return isLong ? long : normal
}
