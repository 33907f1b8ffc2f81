select 'no calendar waits' as what, bool_and(asked_at is null) is not false as ok from report_calendar;
