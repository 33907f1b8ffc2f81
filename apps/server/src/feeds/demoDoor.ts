/** What the demo fills in by itself. */
export { idKeyPurpose } from './keyed.ts'
