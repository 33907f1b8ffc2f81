export const isLong: boolean
export const isFull: boolean
export function thorough(counts: { normal: number; long: number; full?: number }): number
