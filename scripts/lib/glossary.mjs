/**
 * Identifiers that `docs/glossary.md` has replaced, with their replacement. A name is added here when the last use of it
 * is gone, so that it does not come back.
 */
export const replacedNames = {
  AuditBook: 'LogCategory',
  AuditLine: 'AuditRecord',
  AuditPlace: 'AuditCursor',
  AuditTrail: 'AuditLog',
  Ground: 'ServerFixture',
  Hand: 'PointerInput',
  Meaning: 'ImpactPreview',
  OpenParts: 'OpenDeps',
  Seat: 'Session',
  Sight: 'Visibility',
  SoundReport: 'SanitizedReport',
  StoryParts: 'RideDeps',
  ToldRide: 'RideAnswer',
  ViewedLook: 'ViewportQuery',
  askAgain: 'requeueRide',
  beginWish: 'startRequestedRide',
  byPlace: 'byArea',
  createGone: 'createDisconnected',
  dropWish: 'abandonRideRequest',
  fallSilent: 'loseConnection',
  hailed: 'appRides',
  isLoose: 'isUnattached',
  listenToHand: 'bindPointer',
  looseForMs: 'unattachedForMs',
  patiently: 'withRetry',
  plannedAnew: 'forceCustomPlan',
  setLoose: 'detachPhotos',
  settleChanges: 'resolveChanges',
  soundReport: 'sanitizeReport',
  takeSeat: 'logIn',
  tellStory: 'simulateRide',
  temptFate: 'generateIncidents',
  walkOn: 'continueRide',
}

const names = new RegExp(String.raw`(?<![\w$])(?:${Object.keys(replacedNames).join('|')})(?![\w$])`, 'g')
const isCode = (path) => /\.(ts|tsx|mjs)$/.test(path) && /^(apps|packages|bench|e2e|scripts)\//.test(path)
/** The list itself, and its test. */
const isExempt = (path) => path.startsWith('scripts/lib/glossary')

const isComment = (line) => /^\s*(?:\/\/|\/\*|\*)/.test(line)

/** Uses of replaced names outside of comments, each name once per file. */
export function glossaryFaults({ path, text }) {
  if (!isCode(path) || isExempt(path)) return []
  const found = new Map()
  for (const [index, line] of text.split('\n').entries()) {
    if (isComment(line)) continue
    for (const [name] of line.matchAll(names)) if (!found.has(name)) found.set(name, index + 1)
  }
  return [...found].map(([name, line]) => ({
    path,
    line,
    why: `${name}: the glossary calls it ${replacedNames[name]} (docs/glossary.md)`,
  }))
}
