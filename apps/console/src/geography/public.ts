export { ReturnEffect } from './editor/ReturnEffect.tsx'
export { PlaceWords } from './places/PlaceWords.tsx'
