/** Time zones of business days in reports: whole hours from UTC, so that an hour belongs to one day. */
export type ReportZone =
  | 'Asia/Shanghai'
  | 'Asia/Urumqi'
  | 'Asia/Bangkok'
  | 'Asia/Singapore'
  | 'Asia/Tokyo'
  | 'Europe/London'
  | 'Europe/Berlin'
