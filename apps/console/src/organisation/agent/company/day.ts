const dayMs = 86_400_000
/** The business day is that of Shanghai, which keeps one offset all year. */
const offsetMs = 8 * 3_600_000

/** `YYYY-MM-DD` of an instant on the business's calendar. */
export function dayOf(atMs: number): string {
  return new Date(atMs + offsetMs).toISOString().slice(0, 10)
}

/** The instant at which a business day begins. */
export function startOfDay(day: string): number {
  return Math.floor(Date.parse(`${day}T00:00:00Z`) / dayMs) * dayMs - offsetMs
}
