export { createLookup } from './lookup.ts'
