select 'a ticket waits while it has a time since when' as what, not exists (
  select from feedback_ticket where is_waiting <> (waiting_since is not null)
) as ok;
