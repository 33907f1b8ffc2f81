/** The end of the school year in which a day (`YYYY-MM-DD`) lies: the last of August. */
export function schoolYearEnd(day: string): string {
  const year = Number(day.slice(0, 4))
  const end = `${year}-08-31`
  // With a month left, the next one is meant: it would have to be shown again at once.
  return day < `${year}-08-01` ? end : `${year + 1}-08-31`
}
