/** Time zones of business days in reports: whole hours from UTC, so that an hour belongs to one day. */
export const reportZones = [
  'Asia/Shanghai',
  'Asia/Urumqi',
  'Asia/Bangkok',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Europe/London',
  'Europe/Berlin',
] as const
export type ReportZone = (typeof reportZones)[number]
