-- Another calendar that a company has asked for: hours are put into its days by the worker, because that may be millions of rows.
alter table report_calendar
  add column asked_zone text check (asked_zone in ('Asia/Shanghai', 'Asia/Urumqi', 'Asia/Bangkok', 'Asia/Singapore',
    'Asia/Tokyo', 'Europe/London', 'Europe/Berlin')),
  add column asked_day_starts_at smallint check (asked_day_starts_at between 0 and 12),
  add column asked_at timestamptz,
  add column asked_by_id bigint,
  add column asked_by text check (char_length(asked_by) between 1 and 40),
  add constraint report_calendar_asked check (num_nonnulls(asked_zone, asked_day_starts_at, asked_at, asked_by_id, asked_by) in (0, 5));
