/** What the demo makes of artefacts and campaigns before anybody logs in. */
export { checkArtefact, insertArtefact } from './artefacts/handlers.ts'
export { createSigners } from './artefacts/signers.ts'
export { insertCampaign, startRow } from './upgrades/change.ts'
