/** Measured from the south-west corner of the world, as in the tree. */
export const eastOf = (lng: number): number => lng + 180_000_000
export const northOf = (lat: number): number => lat + 90_000_000
export const lngOf = (x: number): number => x - 180_000_000
export const latOf = (y: number): number => y - 90_000_000
