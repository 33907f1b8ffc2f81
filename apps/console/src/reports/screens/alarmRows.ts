/** Areas of one page of the ranking. */
export const rankedAreas = 8

/** Heights of the right column, in pixels of the stage. */
const column = { height: 932, gap: 18, panel: 95, area: 50, dots: 16, alarms: 170, alarm: 35.2 } as const

/** How many alarms have room below the ranking of so many areas. */
export function alarmRowsBeside(areas: number): number {
  const { height, gap, panel, area, dots, alarms, alarm } = column
  const ranking = panel + area * Math.min(Math.max(areas, 1), rankedAreas) + (areas > rankedAreas ? dots : 0)
  return Math.floor((height - gap - ranking - alarms) / alarm)
}
