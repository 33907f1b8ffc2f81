import type { MapTheme } from '#kit/map/palette.ts'

/** From the emptiest hexagon to the fullest, in equal steps of the square root of its share. */
export const hexColours = (theme: MapTheme): readonly string[] =>
  theme === 'dark' ? ['#2a2140', '#8a3ffc', '#ff7eb6', '#ffd6a5'] : ['#fde7c9', '#f59e42', '#d9480f', '#7a1f0b']
